import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { readFilledPartitions } from '../../partitions/partitions.ts';
import type { InvertedIndex } from '../inverted-index/inverted-index.ts';
import { emptyDocuments, type LoadedDocuments, type MemoryIndex } from '../memory-index.ts';
import { partitionNumber, UNDATED_PARTITION } from '../partition-number.ts';
import { BufferPool } from '../ranking/buffer-pool.ts';
import { applyChanges } from './apply-changes.ts';
import { readIndexVersion } from './index-version.ts';
import { type ReadCompany, type ReadObservation, readCompaniesAfter, readObservationsAfter } from './read-documents.ts';
import { bytesOf, PendingSegments, replaceDocuments } from './replace-documents.ts';

const PAGE = 1_000;
/** A load may fill this share of the memory. Later writes use the rest. */
const FILLED_SHARE = 0.9;
const ALL = Number.NEGATIVE_INFINITY;

/** `moved` means that more was written during the load than the change log keeps. */
export type LoadResult = MemoryIndex | 'too large' | 'moved';

/**
 * Loads companies, then as many partitions as fit, newest first. Each page is its own statement, so
 * no snapshot is held. Changes of the meantime are applied last, so the result is consistent.
 */
export async function loadIndex(pool: Pool, mostBytes: number): Promise<LoadResult> {
  const { version, origin, position } = await readIndexVersion(pool);
  const read = emptyDocuments();
  const hasRoom = (bytes = 0) => bytesOf(read) + bytes <= mostBytes * FILLED_SHARE;
  const companies = (after: number) => readCompaniesAfter(pool, after, PAGE);
  if (!(await loadPages<ReadCompany>(companies, read.companies, read.companyTexts, hasRoom))) return 'too large';
  await read.companyTexts.mergeLarge();
  const from = await loadPartitions(pool, read, hasRoom);
  if (from === undefined) return 'too large';
  await read.observations.orderAll();
  const index: MemoryIndex = { ...read, from, origin, version, position, buffers: new BufferPool() };
  return (await applyChanges(pool, index)) === undefined ? 'moved' : index;
}

/** Returns the oldest loaded partition, or undefined if not even the newest fits. */
async function loadPartitions(
  pool: Pool,
  read: LoadedDocuments,
  hasRoom: (bytes?: number) => boolean,
): Promise<number | undefined> {
  const entriesIn = await readEntries(pool);
  const { observations, observationTexts } = read;
  let from: number | undefined;
  for (const partition of await readFilledPartitions(pool)) {
    if (!hasRoom((entriesIn.get(partition) ?? 0) * bytesEach(read))) return from;
    const page = (after: number) => readObservationsAfter(pool, partition, after, PAGE);
    if (!(await loadPages<ReadObservation>(page, observations, observationTexts, hasRoom))) return from;
    await observationTexts.mergeLarge();
    from = heldFrom(partition, from);
  }
  return ALL;
}

function heldFrom(partition: string, from: number | undefined) {
  const number = partitionNumber(partition);
  return number === UNDATED_PARTITION ? from : number;
}

function bytesEach({ observations, observationTexts }: LoadedDocuments): number {
  return observations.size === 0
    ? 0
    : (observations.bytes + observationTexts.bytes + observationTexts.lexicon.bytes) / observations.size;
}

/** Reads sizes at the last count, so that a partition that is far too large is not read. */
async function readEntries(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ partition: string; entries: bigint }>(
    'select bucket::text as partition, entries from bucket_size',
  );
  return new Map(rows.map(({ partition, entries }) => [partition, Number(entries)]));
}

/** Groups pages into segments. Returns false when memory is full. */
async function loadPages<D extends ReadCompany | ReadObservation>(
  read: (after: number) => Promise<D[]>,
  table: { add(document: D): number; remove(id: number): void; readonly size: number },
  texts: InvertedIndex,
  hasRoom: () => boolean,
): Promise<boolean> {
  for (let after = 0; hasRoom(); ) {
    const ahead = new PendingSegments<D>(table.size, texts);
    let isLast = false;
    for (let pages = 0; pages < 5 && !isLast; pages += 1) {
      const page = await read(after);
      await ahead.add(page);
      after = page.at(-1)?.id ?? after;
      isLast = page.length < PAGE;
    }
    replaceDocuments<D>(table, texts, [], ahead);
    if (isLast) return hasRoom();
  }
  return false;
}
