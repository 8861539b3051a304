import { timestampDate } from '@bufbuild/protobuf/wkt';
import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { analyseObservation, analyseProfile } from '../../../text/analyse.ts';
import { wordsOf } from '../../../text/words.ts';
import { advanceFeed } from '../../feed/feed.ts';
import type { IndexBatch } from '../../observation-index.ts';
import { createPartitions, isOlder, type Partitioning, partitionOf } from '../partitions/partitions.ts';
import { readKeptFrom } from '../partitions/retention.ts';
import { applyCompanies, type CompanyRow } from './apply-companies.ts';
import { applyObservations, type ObservationRow } from './apply-observations.ts';

export interface BatchWriterOptions {
  readonly pool: Pool;
  readonly placeCodes: ReadonlyMap<string, string>;
}

export interface BatchWriter {
  /** One transaction. Throws FeedMoved if another reader moved the feed first. */
  write(batch: IndexBatch, fence: bigint, partitioning: Partitioning): Promise<void>;
  forgetPartitions(): void;
}

export function createBatchWriter({ pool, placeCodes }: BatchWriterOptions): BatchWriter {
  const known = new Set<string>();
  return {
    async write({ observations, companies, range }, fence, partitioning) {
      const keptFrom = await readKeptFrom(pool);
      const observationRows = observations.map((document) =>
        observationRow(document, keptFrom, partitioning, placeCodes),
      );
      const companyRows = companies.map((document) => companyRow(document, placeCodes));
      const written = observationRows.filter((row) => !row.document.tombstone).map((row) => row.partition);
      const missing = [...new Set(written)].filter((partition) => !known.has(partition));
      await createPartitions(pool, missing);
      await inTransaction(pool, async (client) => {
        const generation = await advanceFeed(client, 'feed', range, fence);
        const pass = { generation, rewrite: range.feed === 'rebuild' };
        await applyCompanies(client, companyRows, pass);
        await applyObservations(client, observationRows, pass);
      });
      for (const partition of missing) known.add(partition);
    },
    forgetPartitions: () => known.clear(),
  };
}

/** Writes an observation that is too old as a tombstone. */
function observationRow(
  document: ObservationDocument,
  keptFrom: string | undefined,
  partitioning: Partitioning,
  placeCodes: ReadonlyMap<string, string>,
): ObservationRow {
  const partition = partitionOf(document.kind, document.occurredAt && timestampDate(document.occurredAt), partitioning);
  const isTooOld = keptFrom !== undefined && isOlder(partition, keptFrom);
  return {
    document: isTooOld ? { ...document, tombstone: true } : document,
    partition,
    text: analyseObservation(document, placeCodes),
  };
}

function companyRow(document: CompanyDocument, placeCodes: ReadonlyMap<string, string>): CompanyRow {
  return { document, text: analyseProfile(document, placeCodes), nameWords: wordsOf(document.name).join(' ') };
}
