import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { databaseStatements, drawSecrets, secretFiles } from './secrets.ts';

const USAGE = `Arguments: DIRECTORY [--postgres HOST:PORT] [--operator NAME]
Writes new secrets of an installation: <program>.env, <service>-owner.env, admin.env, nats.access, databases.sql, postgres.password.
NAME is who holds admin.env, default operator. In the address {service} stands for the name of a service; default postgres:5432.
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'string', default: 'postgres:5432' },
    operator: { type: 'string', default: 'operator' },
  },
});
const [directory] = positionals;
if (directory === undefined || positionals.length > 1) {
  process.stderr.write(USAGE);
  process.exit(2);
}
await writeSecrets(directory, values.postgres, values.operator);

/** Never over what is there: without its peppers and passwords an installation is lost. */
async function writeSecrets(folder: string, postgres: string, operator: string): Promise<void> {
  const secrets = drawSecrets();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (file: string, text: string, mode = 0o600) =>
    writeFile(path.join(folder, file), text, { flag: 'wx', mode });
  for (const [name, env] of secretFiles(secrets, (service) => postgres.replaceAll('{service}', service), operator))
    await write(`${name}.env`, linesOf(env));
  // Of compose alone: the server, and the programs that publish or consume.
  await write('nats.access', linesOf({ CES_NATS_PASSWORD: secrets.nats_password ?? '' }));
  // A server in a container reads these two as a user of its own; the folder lets no other user in.
  await write('databases.sql', databaseStatements(secrets), 0o644);
  await write('postgres.password', secrets.postgres_password ?? '', 0o644);
  process.stdout.write(`secrets are in ${folder}; keep a copy where backups are.\n`);
}

function linesOf(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
