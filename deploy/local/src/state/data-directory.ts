import { access, chmod, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { removeDirectory } from '@ces/servers/processes/account';

export interface DataDirectory {
  readonly path: string;
  readonly postgres: string;
  readonly nats: string;
  readonly searchIndex: string;
  readonly logs: string;
  readonly secretsFile: string;
  readonly readyFile: string;
  readonly earlierReadyFile: string;
  readonly sampleFile: string;
  /** Exists once a start was live: the record has no sample. */
  readonly liveFile: string;
  readonly lockFile: string;
  readonly traceFile: string;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export function dataDirectory(directory: string): DataDirectory {
  const at = (name: string) => path.resolve(directory, name);
  return {
    path: path.resolve(directory),
    postgres: at('postgres'),
    nats: at('nats'),
    searchIndex: at('search-index'),
    logs: at('logs'),
    secretsFile: at('secrets.json'),
    readyFile: at('ready.json'),
    earlierReadyFile: at('ready.json.earlier'),
    sampleFile: at('sample.json'),
    liveFile: at('live.json'),
    lockFile: at('stack.lock'),
    traceFile: at('traces.jsonl'),
  };
}

/** Throws a StartupError. Root's folder gets 0711, because the database account must enter it. */
export async function makeDataDirectory(data: DataDirectory): Promise<void> {
  try {
    await makeDirectory(data.logs);
    await access(data.path, constants.W_OK | constants.X_OK);
    if (process.getuid?.() === 0) await chmod(data.path, 0o711);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `${data.path} cannot be written (${code ?? message}): correct its permissions, or set CES_DATA_DIR to another directory.`,
    );
  }
}

/** mkdir's `recursive` loops forever on /proc, which reports parents as missing. */
async function makeDirectory(directory: string): Promise<void> {
  if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
  if (directory !== path.dirname(directory)) await makeDirectory(path.dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

/** Removes only what stacks store in the folder. The caller holds the lock. */
export async function emptyDataDirectory(data: DataDirectory): Promise<void> {
  await removeDirectory(data.postgres);
  const { nats, searchIndex, secretsFile, readyFile, earlierReadyFile, sampleFile, liveFile, traceFile } = data;
  // A detached start already writes to its log.
  const logs = (await readdir(data.logs)).filter((log) => log !== 'stack.log').map((log) => path.join(data.logs, log));
  for (const kept of [
    nats,
    searchIndex,
    ...logs,
    secretsFile,
    readyFile,
    earlierReadyFile,
    sampleFile,
    liveFile,
    traceFile,
  ])
    await rm(kept, { recursive: true, force: true });
}

export async function logFile(data: DataDirectory, name: string): Promise<string> {
  const file = path.join(data.logs, `${name}.log`);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
  return file;
}

/** Replaces a file atomically, with mode 0600. */
export async function writePrivately(file: string, content: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
