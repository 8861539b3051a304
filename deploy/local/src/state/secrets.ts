import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { type DataDirectory, writePrivately } from './data-directory.ts';

export type Secrets = Readonly<Record<string, string>>;

/** 64 hexadecimal digits each. Missing ones are generated and saved. */
export async function openSecrets(data: DataDirectory, names: readonly string[]): Promise<Secrets> {
  const known = await readSecrets(data);
  if (!known && (await readdir(data.postgres).catch(() => [])).length > 0)
    throw new StartupError(
      `${data.secretsFile} is missing, but its database exists: put the file back, or start with --fresh to delete all data.`,
    );
  const missing = names.filter((name) => known?.[name] === undefined);
  const made = Object.fromEntries(missing.map((name) => [name, randomBytes(32).toString('hex')]));
  const secrets = { ...known, ...made };
  if (missing.length > 0) await writePrivately(data.secretsFile, secrets);
  return secrets;
}

async function readSecrets(data: DataDirectory): Promise<Secrets | undefined> {
  const text = await readFile(data.secretsFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartupError(`${data.secretsFile} cannot be read (${error.code}): correct its permissions.`);
  });
  if (text === undefined) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    if (isSecrets(found)) return found;
  } catch {
    // The error below covers invalid JSON.
  }
  throw new StartupError(
    `${data.secretsFile} is damaged: put an intact copy back, or start with --fresh to delete all data.`,
  );
}

function isSecrets(value: unknown): value is Secrets {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}
