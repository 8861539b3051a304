import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction, type Queryable } from '@ces/chassis/postgres';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordEvidenceRequest,
  RecordEvidenceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { noteObservations } from '../db/change.ts';
import { lockCompanies } from '../db/company.ts';
import { supportByObservations } from '../db/company-domain.ts';
import { addEvidence, markSeen } from '../db/evidence.ts';
import {
  amendObservations,
  countUpVersions,
  insertObservations,
  moveExpiry,
  type PlacedObservation,
} from '../db/observation.ts';
import { lockRecordedAt } from '../db/recorded-at.ts';
import { claimRecords, readRecorded, rememberSights } from '../db/source-record.ts';
import { type CheckedObservation, checkObservation } from '../record/check-observation.ts';
import { decideKnown } from '../record/decide-known.ts';
import { inRounds } from '../record/rounds.ts';
import { checkBatch, placed, type Result, Results, refused } from './batch.ts';
import type { Dependencies } from './dependencies.ts';

type Record = CheckedObservation & { readonly place: number; readonly companyId: bigint };

export async function recordEvidence(
  { pool, bell }: Dependencies,
  request: RecordEvidenceRequest,
): Promise<MessageInitShape<typeof RecordEvidenceResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.observations.length);
  const checked = request.observations.map((record) => checkObservation(source, record));
  const results = new Results(checked);
  const tx = await inTransaction(pool, (client) => writeBatch(client, source, placed(checked), results));
  if (tx !== undefined) bell.ring(tx);
  return { observations: results.all().map(toResponse), tx: tx ?? 0n };
}

/**
 * Writes a batch and returns its transaction when readers have anything to learn from it. Locks are taken in one order
 * everywhere: companies, keys, the stamp lock; so that racing batches wait for each other and never deadlock.
 */
async function writeBatch(
  client: Queryable,
  source: string,
  records: readonly (CheckedObservation & { place: number })[],
  results: Results,
): Promise<bigint | undefined> {
  const keys = [...new Set(records.map((record) => record.companyKey))];
  const locked = await lockCompanies(client, source, keys);
  const companies = new Map(locked.map(({ key, companyId }) => [key, companyId]));
  const ready = records.flatMap((record): Record[] => {
    const companyId = companies.get(record.companyKey);
    if (companyId !== undefined) return [{ ...record, companyId }];
    results.set(record.place, refused('its company is not recorded: record the company first'));
    return [];
  });
  const changed = new Set<bigint>();
  for (const round of inRounds(ready))
    for (const id of await writeRound(client, source, round, results)) changed.add(id);
  return await noteObservations(client, [...changed]);
}

/** Writes records with distinct keys and returns the observations that readers see changed. */
async function writeRound(
  client: Queryable,
  source: string,
  records: readonly Record[],
  results: Results,
): Promise<bigint[]> {
  const claimed = await claimRecords(client, source, records);
  const known = records.filter((record) => !claimed.has(record.key));
  const changed = await writeKnown(client, source, known, results);
  const created = records.flatMap((record) => {
    const observationId = claimed.get(record.key);
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
  await writeNew(client, source, created);
  for (const { observationId: id, record } of created)
    results.set(record.place, { outcome: RecordOutcome.CREATED, id });
  return [...changed, ...created.map((one) => one.observationId)];
}

async function writeNew(client: Queryable, source: string, observations: readonly PlacedObservation[]): Promise<void> {
  if (observations.length === 0) return;
  await lockRecordedAt(client);
  await insertObservations(client, source, observations);
  await addEvidence(client, observations);
  await supportByObservations(
    client,
    observations.map((one) => one.observationId),
  );
}

/** Records that came before: later sights and amendments. Returns the observations that readers see changed. */
async function writeKnown(
  client: Queryable,
  source: string,
  records: readonly Record[],
  results: Results,
): Promise<bigint[]> {
  if (records.length === 0) return [];
  const before = await readRecorded(
    client,
    source,
    records.map((record) => record.key),
  );
  const seen: PlacedObservation[] = [];
  const amended: PlacedObservation[] = [];
  const latest = new Set<PlacedObservation>();
  for (const record of records) {
    const recorded = before.get(record.key);
    if (!recorded) throw new Error('a source record has no observation');
    const decision = decideKnown(record, record.companyId, recorded);
    results.set(record.place, knownResult(decision, recorded.observationId));
    if (decision.kind === 'refused') continue;
    const known = { observationId: recorded.observationId, companyId: record.companyId, record };
    (decision.kind === 'seen' ? seen : amended).push(known);
    if (decision.latest) latest.add(known);
  }
  const isLatest = (one: PlacedObservation) => latest.has(one);
  await markSeen(client, seen);
  const changed = new Set([
    ...(await moveExpiry(client, seen.filter(isLatest))),
    ...(await amendObservations(client, amended.filter(isLatest))),
    ...(await addEvidence(client, amended)),
  ]);
  await rememberSights(
    client,
    source,
    [...latest].map((one) => one.record),
  );
  await countUpVersions(client, [...changed]);
  return [...changed];
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

function toResponse(result: Result) {
  if (result.outcome === RecordOutcome.REFUSED) return { outcome: result.outcome, reason: result.reason };
  return { outcome: result.outcome, observationId: result.id };
}
