import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../refusal.ts';

/** Blank lines are counted, but skipped. */
interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

export interface LineFile {
  readonly path: string;
  readonly size: number;
  bytesRead(): number;
  readonly lines: AsyncIterable<Line>;
}

const MAX_LINE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Opens a file of lines, decompressed when its name ends in `.gz`; it is read on demand. */
export async function openLines(path: string): Promise<LineFile> {
  const { size } = await stat(path).catch(() => refuse(path));
  let source: ReadStream | undefined;
  const open = () => {
    source = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    return source;
  };
  return { path, size, bytesRead: () => source?.bytesRead ?? 0, lines: readLines(path, open) };
}

async function* readLines(path: string, open: () => ReadStream): AsyncGenerator<Line> {
  const source = open();
  const chunks = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => chunks.destroy(error));
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        yield* present(number, bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > MAX_LINE_BYTES)
        throw new Refusal(`${path} line ${number + 1} is longer than 4 MiB: this is not a file of JSON lines.`);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${path} cannot be read after line ${number} (${(error as Error).message}): download it again.`);
  } finally {
    source.destroy();
  }
  yield* present(number + 1, rest);
}

function* present(number: number, bytes: Buffer): Generator<Line> {
  const start =
    number === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = bytes.subarray(start, bytes.at(-1) === 0x0d ? -1 : undefined);
  if (text.length > 0) yield { number, bytes: text };
}

function refuse(path: string): never {
  throw new Refusal(`${path} cannot be opened: check its name and permissions.`);
}
