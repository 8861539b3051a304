import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { appendCompanyChanges } from '../changes/change-feed.ts';
import { lockCommitOrder } from '../db/commit-order.ts';
import { dropUnnamedSupport, supportByObservations, supportNamed } from '../db/company-domain.ts';
import { insertEventKeys } from '../db/event-key.ts';
import { addEvidence, updateLastSeen } from '../db/evidence.ts';
import {
  type AssignedRecord,
  amendObservations,
  countUpVersions,
  insertObservations,
  moveExpiry,
  raiseConfidence,
} from '../db/observation.ts';
import { attachDuplicates, claimRecords, readRecorded, updateOccurrences } from '../db/source-record.ts';
import { eventKeysOf } from '../deduplication/event-key.ts';
import { findDuplicates, type ResolvedRecord } from '../deduplication/find-duplicates.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { type BatchResults, type Result, refused } from './batch-results.ts';
import { decideRepeat, type KnownRecord, takesOverWording } from './decide-repeat.ts';

type Assigned = AssignedRecord<ResolvedRecord>;

/** Writes records that do not conflict, and returns the observations that readers see changed. */
export async function writeConflictFreeBatch(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
  results: BatchResults,
): Promise<bigint[]> {
  const inline = records.filter((record) => record.company);
  const known = await readKnown(client, source, inline);
  const duplicates = await findDuplicates(client, inline, known);
  const duplicateRecords = new Set<CheckedObservation>(duplicates.map((one) => one.record));
  const claimed = await claimRecords(
    client,
    source,
    records.filter((record) => !known.has(record.key) && !duplicateRecords.has(record)),
  );
  const repeated = records.filter((record) => !claimed.has(record.key) && !duplicateRecords.has(record));
  const changed = [
    ...(await writeRepeated(client, source, repeated, results)),
    ...(await writeDuplicates(client, source, duplicates, results)),
  ];
  const created = records.flatMap((record): Assigned[] => {
    const observationId = claimed.get(record.key);
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
  await writeNew(client, source, created);
  for (const { observationId: id, record } of created)
    results.set(record.index, { outcome: RecordOutcome.CREATED, id });
  return [...changed, ...created.map((one) => one.observationId)];
}

function readKnown(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
): Promise<Map<string, KnownRecord>> | Map<string, KnownRecord> {
  if (records.length === 0) return new Map();
  return readRecorded(
    client,
    source,
    records.map((record) => record.key),
  );
}

async function writeNew(client: Queryable, source: string, observations: readonly Assigned[]): Promise<void> {
  if (observations.length === 0) return;
  await lockCommitOrder(client);
  await insertObservations(client, source, observations);
  await addEvidence(client, source, observations);
  await supportByObservations(
    client,
    observations.filter(({ record }) => !record.company).map((one) => one.observationId),
  );
  const inline = observations.filter(({ record }) => record.company);
  await supportNamed(client, source, inline.map(supportOf));
  await insertEventKeys(client, inline.map(eventKeysFor));
}

/** First records of a source about events that are recorded: more evidence on the same observation. */
async function writeDuplicates(
  client: Queryable,
  source: string,
  duplicates: readonly Assigned[],
  results: BatchResults,
): Promise<bigint[]> {
  if (duplicates.length === 0) return [];
  await attachDuplicates(client, source, duplicates);
  const known = await readRecorded(
    client,
    source,
    duplicates.map(({ record }) => record.key),
  );
  const wording = duplicates.filter(({ record }) => {
    const duplicate = known.get(record.key);
    return duplicate !== undefined && takesOverWording(record, duplicate);
  });
  const changed = new Set([
    ...(await amendObservations(client, source, wording)),
    ...(await raiseConfidence(client, duplicates)),
    ...(await addEvidence(client, source, duplicates)),
  ]);
  await rewriteSupport(client, source, duplicates);
  await insertEventKeys(client, duplicates.map(eventKeysFor));
  await countUpVersions(client, [...changed]);
  for (const { observationId: id, record } of duplicates)
    results.set(record.index, { outcome: RecordOutcome.AMENDED, id });
  return [...changed];
}

/** Records that came before: later occurrences and amendments. Returns the observations that readers see changed. */
async function writeRepeated(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
  results: BatchResults,
): Promise<bigint[]> {
  if (records.length === 0) return [];
  const known = await readRecorded(
    client,
    source,
    records.map((record) => record.key),
  );
  const seen: Assigned[] = [];
  const amended: Assigned[] = [];
  const latest = new Set<Assigned>();
  const wording = new Set<Assigned>();
  for (const record of records) {
    const before = known.get(record.key);
    if (!before) throw new Error('a source record has no observation');
    const decision = decideRepeat(record, record.canonicalId, before);
    results.set(record.index, repeatResult(decision, before.observationId));
    if (decision.kind === 'refused') continue;
    const assigned = { observationId: before.observationId, companyId: record.companyId, record };
    (decision.kind === 'seen' ? seen : amended).push(assigned);
    if (decision.latest) latest.add(assigned);
    if (decision.latest && decision.setsWording) wording.add(assigned);
  }
  const setsWording = (one: Assigned) => wording.has(one);
  await updateLastSeen(client, seen);
  const changed = new Set([
    ...(await moveExpiry(client, seen.filter(setsWording))),
    ...(await amendObservations(client, source, amended.filter(setsWording))),
    ...(await raiseConfidence(
      client,
      amended.filter((one) => !setsWording(one) && latest.has(one)),
    )),
    ...(await addEvidence(client, source, amended)),
  ]);
  const inline = amended.filter((one) => one.record.company && latest.has(one));
  await rewriteSupport(client, source, inline);
  await insertEventKeys(client, inline.map(eventKeysFor));
  await updateOccurrences(
    client,
    source,
    [...latest].map((one) => one.record),
  );
  await countUpVersions(client, [...changed]);
  return [...changed];
}

/** The latest record of an observation names what it supports. */
async function rewriteSupport(client: Queryable, source: string, records: readonly Assigned[]): Promise<void> {
  const named = records.map(supportOf);
  const companies = [
    ...(await dropUnnamedSupport(client, source, named)),
    ...(await supportNamed(client, source, named)),
  ];
  await appendCompanyChanges(client, [...new Set(companies)]);
}

function supportOf({ observationId, companyId, record }: Assigned) {
  return { observationId, companyId, hostnames: record.hostnames };
}

function eventKeysFor({ observationId, record }: Assigned) {
  return { observationId, keys: eventKeysOf(record) };
}

function repeatResult(decision: ReturnType<typeof decideRepeat>, id: bigint): Result {
  switch (decision.kind) {
    case 'refused':
      return refused(decision.reason);
    case 'seen':
      return { outcome: RecordOutcome.SEEN, id };
    case 'amended':
      return { outcome: RecordOutcome.AMENDED, id };
  }
}
