import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { insertEventKeys } from '../db/event-key.ts';
import { addEvidence, updateLastSeen } from '../db/evidence.ts';
import {
  type AssignedRecord,
  amendObservations,
  incrementVersions,
  moveExpiry,
  raiseConfidence,
} from '../db/observation.ts';
import { readRecorded, updateOccurrences } from '../db/source-record.ts';
import { decideRepeat } from '../deduplication/decide-repeat.ts';
import { eventKeysFor } from '../deduplication/event-key.ts';
import { type BatchResults, type Result, refused } from './batch-results.ts';
import type { ResolvedRecord } from './find-duplicates.ts';
import { rewriteSupport } from './rewrite-support.ts';

type Assigned = AssignedRecord<ResolvedRecord>;

export async function writeRepeatedRecords(
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
  await incrementVersions(client, [...changed]);
  return [...changed];
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
