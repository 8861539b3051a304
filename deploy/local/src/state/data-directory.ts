import { access, chmod, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { removeDirectory } from '@ces/servers/processes/account';

/** Where everything of one stack is kept. */
export interface DataDirectory {
  readonly path: string;
  readonly postgres: string;
  readonly nats: string;
  readonly logs: string;
  readonly secretsFile: string;
  readonly readyFile: string;
  /** `ready.json` of the start before, while the present one is not ready. */
  readonly earlierReadyFile: string;
  readonly sampleFile: string;
  readonly lockFile: string;
  /** Spans of a start with --trace. */
  readonly traceFile: string;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export function dataDirectory(directory: string): DataDirectory {
  const at = (name: string) => path.resolve(directory, name);
  return {
    path: path.resolve(directory),
    postgres: at('postgres'),
    nats: at('nats'),
    logs: at('logs'),
    secretsFile: at('secrets.json'),
    readyFile: at('ready.json'),
    earlierReadyFile: at('ready.json.earlier'),
    sampleFile: at('sample.json'),
    lockFile: at('stack.lock'),
    traceFile: at('traces.jsonl'),
  };
}

/** Makes the directory, or throws a sentence when it cannot be written. Root's may be passed through, since its database account must. */
export async function makeDataDirectory(data: DataDirectory): Promise<void> {
  try {
    await makeDirectory(data.logs);
    await access(data.path, constants.W_OK | constants.X_OK);
    if (process.getuid?.() === 0) await chmod(data.path, 0o711);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `${data.path} cannot be written (${code ?? message}): mend its permissions, or name another directory in CES_DATA_DIR.`,
    );
  }
}

/** Like mkdir's `recursive`, which asks for ever where a file system such as /proc says that a parent it shows is missing. */
async function makeDirectory(directory: string): Promise<void> {
  if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
  if (directory !== path.dirname(directory)) await makeDirectory(path.dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

/** Removes what stacks keep in the directory and nothing else. The caller holds the lock. */
export async function emptyDataDirectory(data: DataDirectory): Promise<void> {
  await removeDirectory(data.postgres);
  const { nats, secretsFile, readyFile, earlierReadyFile, sampleFile, traceFile } = data;
  // A detached start writes into its own log already.
  const logs = (await readdir(data.logs)).filter((log) => log !== 'stack.log').map((log) => path.join(data.logs, log));
  for (const kept of [nats, ...logs, secretsFile, readyFile, earlierReadyFile, sampleFile, traceFile])
    await rm(kept, { recursive: true, force: true });
}

/** The log of a program; a long one is set aside first. */
export async function logFile(data: DataDirectory, name: string): Promise<string> {
  const file = path.join(data.logs, `${name}.log`);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
  return file;
}

/** Writes a file that only its owner may read; readers see the old one or the new one, never half. */
export async function writePrivately(file: string, content: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
