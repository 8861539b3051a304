import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Partitioning } from '@ces/search/index/postgres/partitions';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { createLines, type Lines } from './bulk-lines.ts';
import { COLUMNS, createRowMaker } from './bulk-rows.ts';
import { openSession } from './bulk-sessions.ts';
import { generateRecord } from './generated-record.ts';

/** The rows of one thread: every `threads`th block of `atOnce` documents. */
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

await write(workerData as Share);

async function write(share: Share): Promise<void> {
  const record = generateRecord(share.observations, share.now);
  const rows = createRowMaker(share.generation, share.partitioning, loadVocabulary().placeCodes);
  /* Overrides the server's default, because vacuum marks only rows whose commit is on disk. */
  await using session = await openSession(share.ownerUrl, { synchronous_commit: 'on' });
  const { client } = session;
  for (const [first, next] of piecesOf(share, record.companies)) {
    const companies = createLines();
    for (let at = first; at < next; at += 1) companies.add(rows.company(record.company(at)));
    await copy(client, 'company_doc', companies.pieces());
  }
  for (const [first, next] of piecesOf(share, record.observations)) {
    const indexed = createLines();
    /* Groups rows by partition, because the server then writes whole pages. */
    const partitions = new Map<string, Lines>();
    for (let at = first; at < next; at += 1) {
      const row = rows.observation(record.observation(at));
      indexed.add(row.indexed);
      const entries = partitions.get(row.partition) ?? createLines();
      partitions.set(row.partition, entries);
      entries.add(row.entry);
    }
    await copy(client, 'indexed', indexed.pieces());
    await copy(
      client,
      'entry',
      [...partitions.values()].flatMap((entries) => [...entries.pieces()]),
    );
    parentPort?.postMessage(next - first);
  }
}

function* piecesOf({ thread, threads, atOnce }: Share, total: number): Generator<readonly [number, number]> {
  for (let first = thread * atOnce; first < total; first += threads * atOnce)
    yield [first, Math.min(total, first + atOnce)];
}

async function copy(client: pg.Client, table: keyof typeof COLUMNS, pieces: Iterable<Buffer>): Promise<void> {
  const stream = client.query(from(`copy ${table} (${COLUMNS[table]}) from stdin`));
  await pipeline(Readable.from(pieces), stream);
}
