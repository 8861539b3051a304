import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { noteCompanies } from '../changes/change-feed.ts';
import { lockRecordedAt } from '../db/commit-order.ts';
import { dropUnnamedSupport, supportByObservations, supportNamed } from '../db/company-domain.ts';
import { insertEventKeys } from '../db/event-key.ts';
import { addEvidence, markSeen } from '../db/evidence.ts';
import {
  amendObservations,
  countUpVersions,
  insertObservations,
  moveExpiry,
  raiseConfidence,
} from '../db/observation.ts';
import { claimRecords, joinRecords, readRecorded, rememberSights } from '../db/source-record.ts';
import { eventKeysOf } from '../deduplication/event-key.ts';
import { findJoining, type Placed, type ReadyRecord } from '../deduplication/find-duplicates.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { type Result, type Results, refused } from './batch-results.ts';
import { decideKnown, type RecordedBefore, takesOver } from './decide-repeat.ts';

/** Writes records that do not meet, and returns the observations that readers see changed. */
export async function writeRound(
  client: Queryable,
  source: string,
  records: readonly ReadyRecord[],
  results: Results,
): Promise<bigint[]> {
  const inline = records.filter((record) => record.company);
  const before = await readBefore(client, source, inline);
  const joining = await findJoining(client, inline, before);
  const joins = new Set<CheckedObservation>(joining.map((one) => one.record));
  const claimed = await claimRecords(
    client,
    source,
    records.filter((record) => !before.has(record.key) && !joins.has(record)),
  );
  const known = records.filter((record) => !claimed.has(record.key) && !joins.has(record));
  const changed = [
    ...(await writeKnown(client, source, known, results)),
    ...(await writeJoining(client, source, joining, results)),
  ];
  const created = records.flatMap((record): Placed[] => {
    const observationId = claimed.get(record.key);
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
  await writeNew(client, source, created);
  for (const { observationId: id, record } of created)
    results.set(record.place, { outcome: RecordOutcome.CREATED, id });
  return [...changed, ...created.map((one) => one.observationId)];
}

function readBefore(
  client: Queryable,
  source: string,
  records: readonly ReadyRecord[],
): Promise<Map<string, RecordedBefore>> | Map<string, RecordedBefore> {
  if (records.length === 0) return new Map();
  return readRecorded(
    client,
    source,
    records.map((record) => record.key),
  );
}

async function writeNew(client: Queryable, source: string, observations: readonly Placed[]): Promise<void> {
  if (observations.length === 0) return;
  await lockRecordedAt(client);
  await insertObservations(client, source, observations);
  await addEvidence(client, source, observations);
  await supportByObservations(
    client,
    observations.filter(({ record }) => !record.company).map((one) => one.observationId),
  );
  const inline = observations.filter(({ record }) => record.company);
  await supportNamed(client, source, inline.map(supportOf));
  await insertEventKeys(client, inline.map(keysOf));
}

/** First records of a source about events that are recorded: more evidence on the same observation. */
async function writeJoining(
  client: Queryable,
  source: string,
  joining: readonly Placed[],
  results: Results,
): Promise<bigint[]> {
  if (joining.length === 0) return [];
  await joinRecords(client, source, joining);
  const before = await readRecorded(
    client,
    source,
    joining.map(({ record }) => record.key),
  );
  const telling = joining.filter(({ record }) => {
    const recorded = before.get(record.key);
    return recorded !== undefined && takesOver(record, recorded);
  });
  const changed = new Set([
    ...(await amendObservations(client, source, telling)),
    ...(await raiseConfidence(client, joining)),
    ...(await addEvidence(client, source, joining)),
  ]);
  await rewriteSupport(client, source, joining);
  await insertEventKeys(client, joining.map(keysOf));
  await countUpVersions(client, [...changed]);
  for (const { observationId: id, record } of joining)
    results.set(record.place, { outcome: RecordOutcome.AMENDED, id });
  return [...changed];
}

/** Records that came before: later sights and amendments. Returns the observations that readers see changed. */
async function writeKnown(
  client: Queryable,
  source: string,
  records: readonly ReadyRecord[],
  results: Results,
): Promise<bigint[]> {
  if (records.length === 0) return [];
  const before = await readRecorded(
    client,
    source,
    records.map((record) => record.key),
  );
  const seen: Placed[] = [];
  const amended: Placed[] = [];
  const latest = new Set<Placed>();
  const telling = new Set<Placed>();
  for (const record of records) {
    const recorded = before.get(record.key);
    if (!recorded) throw new Error('a source record has no observation');
    const decision = decideKnown(record, record.survivorId, recorded);
    results.set(record.place, knownResult(decision, recorded.observationId));
    if (decision.kind === 'refused') continue;
    const known = { observationId: recorded.observationId, companyId: record.companyId, record };
    (decision.kind === 'seen' ? seen : amended).push(known);
    if (decision.latest) latest.add(known);
    if (decision.latest && decision.tells) telling.add(known);
  }
  const tells = (one: Placed) => telling.has(one);
  await markSeen(client, seen);
  const changed = new Set([
    ...(await moveExpiry(client, seen.filter(tells))),
    ...(await amendObservations(client, source, amended.filter(tells))),
    ...(await raiseConfidence(
      client,
      amended.filter((one) => !tells(one) && latest.has(one)),
    )),
    ...(await addEvidence(client, source, amended)),
  ]);
  const inline = amended.filter((one) => one.record.company && latest.has(one));
  await rewriteSupport(client, source, inline);
  await insertEventKeys(client, inline.map(keysOf));
  await rememberSights(
    client,
    source,
    [...latest].map((one) => one.record),
  );
  await countUpVersions(client, [...changed]);
  return [...changed];
}

/** The latest record of an observation names what it supports. */
async function rewriteSupport(client: Queryable, source: string, records: readonly Placed[]): Promise<void> {
  const named = records.map(supportOf);
  const companies = [
    ...(await dropUnnamedSupport(client, source, named)),
    ...(await supportNamed(client, source, named)),
  ];
  await noteCompanies(client, [...new Set(companies)]);
}

function supportOf({ observationId, companyId, record }: Placed) {
  return { observationId, companyId, hostnames: record.hostnames };
}

function keysOf({ observationId, record }: Placed) {
  return { observationId, keys: eventKeysOf(record) };
}

function knownResult(decision: ReturnType<typeof decideKnown>, id: bigint): Result {
  switch (decision.kind) {
    case 'refused':
      return refused(decision.reason);
    case 'seen':
      return { outcome: RecordOutcome.SEEN, id };
    case 'amended':
      return { outcome: RecordOutcome.AMENDED, id };
  }
}
