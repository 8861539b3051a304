import path from 'node:path';
import { Refusal } from '../refusal.ts';
import { BadLine, type Parsed } from './fields.ts';
import type { LineFile } from './lines.ts';
import { NotRecordable } from './records.ts';
import { countRefusal, type Tally } from './tally.ts';

export interface LineSource<R> {
  readonly tally: Tally;
  /** Throws BadLine or NotRecordable. */
  readonly parse: (line: Buffer) => Parsed<R>;
}

export interface BatchOptions {
  readonly skipBadLines: boolean;
  readonly signal: AbortSignal;
}

const BATCH = 500;

/** The first bad line yields the batch before it and then throws, unless they are skipped. */
export async function* batchesOf<R>(
  source: LineSource<R>,
  file: LineFile,
  options: BatchOptions,
): AsyncGenerator<Parsed<R>[]> {
  let batch: Parsed<R>[] = [];
  let stopped: unknown;
  try {
    for await (const line of file.lines) {
      if (options.signal.aborted) throw new Refusal('Interrupted.');
      source.tally.read += 1;
      const row = parseCounted(source, line.bytes, `${path.relative('', file.path)} line ${line.number}`, options);
      if (row) batch.push(row);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    stopped = error;
  }
  if (batch.length > 0) yield batch;
  if (stopped !== undefined) throw stopped;
}

function parseCounted<R>(
  { parse, tally }: LineSource<R>,
  line: Buffer,
  location: string,
  { skipBadLines }: BatchOptions,
): Parsed<R> | undefined {
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof NotRecordable) countRefusal(tally, error.message);
    else if (!(error instanceof BadLine)) throw error;
    else if (skipBadLines) tally.bad += 1;
    else
      throw new Refusal(
        `${location} cannot be read (${error.message}): correct it, or add --skip-bad to skip such lines.`,
        { code: 'bad_line' },
      );
    return undefined;
  }
}
