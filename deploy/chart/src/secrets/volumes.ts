import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { secretOf } from '@ces/topology/environment';
import { SERVICES } from '@ces/topology/services';
import { databaseStatements, generateSecrets, secretFiles } from './secrets.ts';

type Secrets = Readonly<Record<string, string>>;

/** Where this program keeps all drawn secrets. It restores a lost volume from this file. */
const KEPT = 'kept/secrets.json';
const POSTGRES = 'postgres:5432';
/** A volume is mounted by one container only; a file copied by hand may have another mode. */
const READABLE = 0o444;

/** Never replaces a value, so it may run at every start; appends settings of newer releases. */
export async function fillVolumes(folder: string): Promise<readonly string[]> {
  const secrets = await openSecrets(path.join(folder, KEPT));
  const written: string[] = [];
  const fill = async (name: string, complete: (present: string | undefined) => string) => {
    const file = path.join(folder, name);
    const present = await readIfThere(file);
    const text = complete(present);
    if (text === present) return await chmod(file, READABLE);
    await writeWhole(file, text, READABLE);
    written.push(name);
  };
  for (const [name, env] of settingsFiles(secrets)) await fill(name, (present) => withMissing(present ?? '', env));
  for (const [name, text] of serverFiles(secrets)) await fill(name, (present) => present ?? text);
  return written;
}

export function withMissing(text: string, wanted: Secrets): string {
  const present = parseEnv(text);
  const lines = Object.entries(wanted).flatMap(([name, value]) => (name in present ? [] : [`${name}=${value}\n`]));
  return lines.length === 0 ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('')}`;
}

function settingsFiles(secrets: Secrets): [string, Secrets][] {
  const brokers = new Set<string>(SERVICES.filter(({ broker }) => broker).map(({ name }) => name));
  const access = { CES_NATS_PASSWORD: secretOf(secrets, 'nats_password') };
  return [...secretFiles(secrets, () => POSTGRES, 'operator')].map(([name, env]) => {
    const file = name.endsWith('-owner') ? `owners/${name.replace(/-owner$/, '')}.env` : `${name}/settings.env`;
    return [file, brokers.has(name) ? { ...env, ...access } : env];
  });
}

function serverFiles(secrets: Secrets): [string, string][] {
  return [
    ['postgres/password', secretOf(secrets, 'postgres_password')],
    ['postgres/databases.sql', databaseStatements(secrets)],
    ['nats/nats.conf', natsConfiguration(secretOf(secrets, 'nats_password'))],
  ];
}

function natsConfiguration(password: string): string {
  return `# Messages only wake work that is in Postgres, and still a broker should lose nothing that it accepted.
port: 4222
jetstream {
  store_dir: /data
  sync_interval: always
}
authorization {
  user: ces
  password: ${JSON.stringify(password)}
}
`;
}

async function openSecrets(file: string): Promise<Secrets> {
  const known = parseSecrets(await readIfThere(file), file);
  const secrets = { ...generateSecrets(), ...known };
  if (Object.keys(secrets).length > Object.keys(known).length)
    await writeWhole(file, `${JSON.stringify(secrets, undefined, 2)}\n`, 0o400);
  return secrets;
}

function parseSecrets(text: string | undefined, file: string): Secrets {
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Secrets;
  } catch {
    throw new StartupError(`${file} is damaged: put a copy of it back, without which an installation is lost.`);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(file, error);
  });
}

/** Replaces the file atomically, also on power loss. A killed run is repeated. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const next = `${file}.new`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    // A killed run leaves a read-only file, which a root user without capabilities cannot write.
    await rm(next, { force: true });
    await writeFile(next, text, { flag: 'wx', mode, flush: true });
    await rename(next, file);
  } catch (error) {
    throw unusable(file, error as NodeJS.ErrnoException);
  }
}

function unusable(file: string, { code }: NodeJS.ErrnoException): StartupError {
  return new StartupError(`${file} cannot be used (${code}): mount a volume there that the user of this program owns.`);
}
