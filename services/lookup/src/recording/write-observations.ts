import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { lockCommitOrder } from '../db/commit-order.ts';
import { supportByObservations, supportNamed } from '../db/company-domain.ts';
import { insertEventKeys } from '../db/event-key.ts';
import { insertEvidence } from '../db/evidence.ts';
import { type AssignedRecord, insertObservations } from '../db/observation.ts';
import { claimRecords } from '../db/source-record.ts';
import { eventKeysFor } from '../deduplication/event-key.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import type { BatchResults } from './batch-results.ts';
import { findDuplicates, type RecordedEvents, type ResolvedRecord } from './find-duplicates.ts';
import { supportOf } from './rewrite-support.ts';
import { writeDuplicates } from './write-duplicates.ts';
import { writeRepeatedRecords } from './write-repeated-records.ts';

export async function writeConflictFreeBatch(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
  recorded: RecordedEvents,
  results: BatchResults,
): Promise<bigint[]> {
  const { known } = recorded;
  const duplicates = findDuplicates(records, recorded);
  const duplicateRecords = new Set<CheckedObservation>(duplicates.map((one) => one.record));
  const claimed = await claimRecords(
    client,
    source,
    records.filter((record) => !known.has(record.key) && !duplicateRecords.has(record)),
  );
  const repeated = records.filter((record) => !claimed.has(record.key) && !duplicateRecords.has(record));
  const changed = [
    ...(await writeRepeatedRecords(client, source, repeated, results)),
    ...(await writeDuplicates(client, source, duplicates, results)),
  ];
  const created = records.flatMap((record): AssignedRecord<ResolvedRecord>[] => {
    const observationId = claimed.get(record.key);
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
  await writeNew(client, source, created);
  for (const { observationId: id, record } of created)
    results.set(record.index, { outcome: RecordOutcome.CREATED, id });
  return [...changed, ...created.map((one) => one.observationId)];
}

/** Pipelined, because other writers wait for the end of the transaction. */
async function writeNew(
  client: Queryable,
  source: string,
  observations: readonly AssignedRecord<ResolvedRecord>[],
): Promise<void> {
  if (observations.length === 0) return;
  const keyed = observations.filter(({ record }) => !record.company);
  const inline = observations.filter(({ record }) => record.company);
  await Promise.all([
    lockCommitOrder(client),
    insertObservations(client, source, observations),
    insertEvidence(client, source, observations),
    supportByObservations(client, source, keyed),
    supportNamed(client, source, inline.map(supportOf)),
    insertEventKeys(client, inline.map(eventKeysFor)),
  ]);
}
