import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Archive, NATS_RELEASE } from '../machine/choice.mjs';

const execute = promisify(execFile);

const RELEASES = 'https://github.com/nats-io/nats-server/releases/download';
/** A firewall that drops packets delays the start once, by this time. */
const ANSWER_WITHIN_MS = 4_000;
const WHOLE_WITHIN_MS = 120_000;
/** Bounds the memory; the archive has 7 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Pinned SHA-256. The error message is part of a sentence. */
export async function fetchRelease(archive: Archive, target: string, releases = RELEASES): Promise<void> {
  const url = `${releases}/v${NATS_RELEASE.version}/${archive.name}.tar.gz`;
  const bytes = await download(url);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== archive.sha256)
    throw new Error(`${url} is not what was pinned: its SHA-256 is ${found}, not ${archive.sha256}`);
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true });
  const staging = await mkdtemp(path.join(folder, 'nats-'));
  try {
    await writeFile(path.join(staging, 'archive.tar.gz'), bytes);
    const member = `${archive.name}/nats-server`;
    await execute('tar', ['-xzf', 'archive.tar.gz', member], { cwd: staging });
    await chmod(path.join(staging, member), 0o755);
    await rename(path.join(staging, member), target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function download(url: string): Promise<Uint8Array> {
  const { host } = new URL(url);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_WITHIN_MS);
  try {
    const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(WHOLE_WITHIN_MS)]);
    const response = await fetch(url, { signal });
    clearTimeout(timer);
    if (!response.ok) throw new Refused(`${host} answers ${response.status} for ${url}`);
    if (Number(response.headers.get('content-length')) > MOST_BYTES) throw new Refused(`${url} is too large`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Error(`${host} cannot be reached (${reasonOf(error as Error)})`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The server answered, but not with the archive. */
class Refused extends Error {}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? inner ?? message;
}
