import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { clusterSecretFiles, databaseStatements, generateSecrets, kubernetesSecrets, secretFiles } from './secrets.ts';

const USAGE = `Arguments: DIRECTORY [--postgres HOST:PORT] [--role ROLE] [--operator NAME] [--release RELEASE] [--cloudnativepg]
Writes new secrets of an installation: <program>.env, <service>-owner.env, admin.env, databases.sql and kubernetes.json, the Secrets of a release for kubectl apply.
NAME is who holds admin.env, default operator. In the address and in ROLE, which databases are called too, {service} stands for the name
of a service; default postgres:5432 and {service}. RELEASE is what names of the chart begin with, default ces. With --cloudnativepg the
chart makes the databases: <service>-postgres.env takes the place of addresses, owners and databases.sql.
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'string', default: 'postgres:5432' },
    role: { type: 'string', default: '{service}' },
    operator: { type: 'string', default: 'operator' },
    release: { type: 'string', default: 'ces' },
    cloudnativepg: { type: 'boolean', default: false },
  },
});
const [directory] = positionals;
if (directory === undefined || positionals.length > 1) {
  process.stderr.write(USAGE);
  process.exit(2);
}
await writeSecrets(directory);

/** Never overwrites files (`wx`): an installation is lost without its peppers and passwords. */
async function writeSecrets(folder: string): Promise<void> {
  const { postgres, role, operator, release, cloudnativepg } = values;
  const secrets = generateSecrets();
  const nameOf = (service: string) => role.replaceAll('{service}', service);
  const hostOf = (service: string) => postgres.replaceAll('{service}', service);
  const files = cloudnativepg
    ? clusterSecretFiles(secrets, operator, nameOf)
    : secretFiles(secrets, hostOf, operator, nameOf);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (file: string, text: string) => writeFile(path.join(folder, file), text, { flag: 'wx', mode: 0o600 });
  for (const [name, env] of files) await write(`${name}.env`, linesOf(env));
  await write('kubernetes.json', `${JSON.stringify(kubernetesSecrets(files, release), undefined, 2)}\n`);
  if (!cloudnativepg) await write('databases.sql', databaseStatements(secrets, nameOf));
  process.stdout.write(`secrets are in ${folder}; keep a copy where backups are.\n`);
}

function linesOf(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
