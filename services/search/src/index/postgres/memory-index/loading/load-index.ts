import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { UNDATED } from '../../partitions/partitions.ts';
import type { InvertedIndex } from '../inverted-index/inverted-index.ts';
import { emptyDocuments, type LoadedDocuments, type MemoryIndex } from '../memory-index.ts';
import { partitionNumber } from '../partition-number.ts';
import { BufferPool } from '../ranking/buffer-pool.ts';
import { applyChanges } from './apply-changes.ts';
import { type ChangeCollector, collectChanges } from './change-collector.ts';
import { readIndexVersion } from './index-version.ts';
import { type ReadCompany, type ReadObservation, readAllCompanies, readPartition } from './read-documents.ts';
import { emptyVectors, readNewVectors } from './read-vectors.ts';
import { bytesOf, PendingSegments, replaceDocuments } from './replace-documents.ts';

/** A load may fill this share of the memory. Later writes use the rest. */
const FILLED_SHARE = 0.9;
const OBSERVATION_BYTES = 800;
const ALL = Number.NEGATIVE_INFINITY;

interface PartitionSize {
  readonly partition: string;
  readonly observations: number;
}

/** Newest partitions that fit, then changes of the meantime; undefined if the log lost some. */
export async function loadIndex(
  pool: Pool,
  mostBytes: number,
  model: string | undefined,
): Promise<MemoryIndex | undefined> {
  const { version, origin, position } = await readIndexVersion(pool);
  const changes = collectChanges(pool, { version, origin });
  const read = emptyDocuments(model === undefined ? undefined : await emptyVectors(pool, model));
  await readAllCompanies(pool, addingTo<ReadCompany>(read.companies, read.companyTexts, changes));
  await read.companyTexts.mergeLarge();
  const left = await loadPartitions(pool, read, mostBytes * FILLED_SHARE, changes);
  await read.observations.orderAll();
  if (changes.isLost) return undefined;
  const index: MemoryIndex = {
    ...read,
    ...left,
    origin,
    version: changes.version,
    position,
    buffers: new BufferPool(),
  };
  if ((await applyChanges(pool, index, changes)) === undefined) return undefined;
  await readNewVectors(pool, index);
  return index;
}

/** Returns the oldest loaded partition and the count of older observations. */
async function loadPartitions(
  pool: Pool,
  read: LoadedDocuments,
  mostBytes: number,
  changes: ChangeCollector,
): Promise<Pick<MemoryIndex, 'from' | 'leftOut'>> {
  const { observations, observationTexts } = read;
  const sizes = await readPartitionSizes(pool);
  let from = Number.POSITIVE_INFINITY;
  for (const [at, { partition, observations: expected }] of sizes.entries()) {
    const withVectors = bytesOf(read) + observations.size * (read.vectors?.bytesEach ?? 0);
    if (partition !== UNDATED && withVectors + expected * bytesEach(read) > mostBytes)
      return { from, leftOut: sizes.slice(at).reduce((sum, size) => sum + size.observations, 0) };
    await readPartition(pool, partition, addingTo<ReadObservation>(observations, observationTexts, changes));
    await observationTexts.mergeLarge();
    if (partition !== UNDATED) from = partitionNumber(partition);
  }
  return { from: ALL, leftOut: 0 };
}

function bytesEach({ observations, observationTexts, vectors }: LoadedDocuments): number {
  const ofTexts =
    observations.size === 0 ? OBSERVATION_BYTES : (observations.bytes + observationTexts.bytes) / observations.size;
  return ofTexts + (vectors?.bytesEach ?? 0);
}

async function readPartitionSizes(db: Queryable): Promise<PartitionSize[]> {
  const { rows } = await db.query<{ partition: string; observations: bigint }>(
    `select bucket::text as partition, count(*) as observations from indexed
      where not tombstone group by bucket order by bucket = $1 desc, bucket desc`,
    [UNDATED],
  );
  return rows.map(({ partition, observations }) => ({ partition, observations: Number(observations) }));
}

function addingTo<D extends ReadCompany | ReadObservation>(
  table: { add(document: NoInfer<D>): number; remove(id: number): void; readonly size: number },
  texts: InvertedIndex,
  changes: ChangeCollector,
): (page: readonly D[]) => Promise<void> {
  return async (page) => {
    const pending = new PendingSegments<D>(table.size, texts);
    await pending.add(page);
    replaceDocuments<D>(table, texts, [], pending);
    await changes.collect();
  };
}
