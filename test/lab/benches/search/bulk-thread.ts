import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Partitioning } from '@ces/search/index/postgres/partitions';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { COLUMNS, createRowMaker } from './bulk-rows.ts';
import { openSession } from './bulk-sessions.ts';
import { generateRecord } from './generated-record.ts';

// A thread of bulk-write.ts.

/** Which rows a thread writes: of every `threads` pieces of `atOnce` documents, the one of its number. */
export interface Share {
  readonly ownerUrl: string;
  readonly thread: number;
  readonly threads: number;
  readonly atOnce: number;
  readonly observations: number;
  readonly now: Date;
  readonly generation: number;
  readonly partitioning: Partitioning;
}

const PIECE_CHARACTERS = 262_144;

await write(workerData as Share);

async function write(share: Share): Promise<void> {
  const record = generateRecord(share.observations, share.now);
  const rows = createRowMaker(share.generation, share.partitioning, loadVocabulary().placeCodes);
  /* Whatever the server's default: vacuum marks no row whose commit is not on disk. */
  await using session = await openSession(share.ownerUrl, { synchronous_commit: 'on' });
  const { client } = session;
  for (const [first, next] of piecesOf(share, record.companies))
    await copy(
      client,
      'company_doc',
      list(first, next, (at) => rows.company(record.company(at))),
    );
  for (const [first, next] of piecesOf(share, record.observations)) {
    const lines = list(first, next, (at) => rows.observation(record.observation(at)));
    await copy(
      client,
      'indexed',
      lines.map((line) => line.indexed),
    );
    /* The server writes a page at a time where rows of one partition follow each other. */
    const grouped = Map.groupBy(lines, (line) => line.partition);
    await copy(
      client,
      'entry',
      [...grouped.values()].flat().map((line) => line.entry),
    );
    parentPort?.postMessage(next - first);
  }
}

function* piecesOf({ thread, threads, atOnce }: Share, total: number): Generator<readonly [number, number]> {
  for (let first = thread * atOnce; first < total; first += threads * atOnce)
    yield [first, Math.min(total, first + atOnce)];
}

function list<T>(first: number, next: number, make: (at: number) => T): T[] {
  return Array.from({ length: next - first }, (_, offset) => make(first + offset));
}

async function copy(client: pg.Client, table: keyof typeof COLUMNS, lines: readonly string[]): Promise<void> {
  const stream = client.query(from(`copy ${table} (${COLUMNS[table]}) from stdin`));
  await pipeline(Readable.from(joined(lines)), stream);
}

function* joined(lines: readonly string[]): Generator<Buffer> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
