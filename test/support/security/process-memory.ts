import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Needle } from './token-forms.ts';

const CHUNK_BYTES = 16 * 1024 * 1024;

/**
 * Finds needles in the writable memory of a process, which a core dump would contain. Undefined if
 * the memory is not readable.
 */
export async function scanMemory(pid: number, needles: readonly Needle[]): Promise<readonly string[] | undefined> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => undefined);
  if (maps === undefined) return undefined;
  const memory = await open(`/proc/${pid}/mem`, 'r').catch(() => undefined);
  if (memory === undefined) return undefined;
  await using _ = memory;
  const leaks = new Set<string>();
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (const [from, to] of writableRanges(maps))
    for (let at = from; at < to; at += CHUNK_BYTES) {
      const length = Math.min(CHUNK_BYTES, to - at);
      const { bytesRead } = await memory.read(buffer, 0, length, at).catch(() => ({ bytesRead: 0 }));
      const filled = buffer.subarray(0, bytesRead);
      for (const { what, bytes } of needles) if (filled.includes(bytes)) leaks.add(what);
    }
  return [...leaks];
}

function writableRanges(maps: string): readonly (readonly [number, number])[] {
  return maps.split('\n').flatMap((line) => {
    const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    return from === '' ? [] : [[Number.parseInt(from, 16), Number.parseInt(to, 16)] as const];
  });
}

export function snapshotSettings(directory: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${directory}` };
}

const WRITTEN_WITHIN_MS = 60_000;

/**
 * Writes a heap snapshot and returns its path. V8 collects garbage first, so the snapshot contains
 * only live objects.
 */
export async function heapSnapshot(pid: number, directory: string): Promise<string> {
  const before = new Set(await readdir(directory));
  process.kill(pid, 'SIGUSR2');
  for (const deadline = performance.now() + WRITTEN_WITHIN_MS; performance.now() < deadline; await pause(200)) {
    const name = (await readdir(directory)).find(
      (file) => !before.has(file) && file.includes(`.${pid}.`) && file.endsWith('.heapsnapshot'),
    );
    if (name && (await isWritten(path.join(directory, name)))) return path.join(directory, name);
  }
  throw new Error(`process ${pid} wrote no heap snapshot`);
}

/** A complete snapshot is a JSON object that ends with a list of strings. */
async function isWritten(filePath: string): Promise<boolean> {
  const { size } = await stat(filePath);
  if (size < 1_000) return false;
  await using file = await open(filePath, 'r');
  const { buffer } = await file.read(Buffer.alloc(16), 0, 16, size - 16);
  return /"\]\}?\s*$/.test(buffer.toString('latin1').replaceAll('\0', '')) || buffer.includes(']}');
}
