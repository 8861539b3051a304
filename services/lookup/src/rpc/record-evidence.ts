import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordEvidenceRequest,
  RecordEvidenceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { noteObservations } from '../changes/change-feed.ts';
import { findClosings } from '../db/closing.ts';
import { lockCompanies } from '../db/company.ts';
import { closes, expiryAfter } from '../deduplication/closed-event.ts';
import { MEETING, type ReadyRecord } from '../deduplication/find-duplicates.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkBatch, placed, type Result, Results, refused } from '../recording/batch-results.ts';
import { inRounds } from '../recording/conflict-free-batches.ts';
import { writeRound } from '../recording/write-observations.ts';
import { holdResolution, lockResolution } from '../resolution/resolution-lock.ts';
import { resolveInline } from '../resolution/resolve-companies.ts';
import type { ResolutionVocabulary } from '../resolution/vocabulary.ts';
import { type CheckedObservation, checkObservation } from '../validation/check-observation.ts';
import { readStandingTakeDowns } from '../withdrawal/active-take-downs.ts';

type PlacedRecord = CheckedObservation & { readonly place: number };

interface Written {
  /** Undefined when readers have nothing to learn. */
  readonly tx: bigint | undefined;
  /** Surviving companies of inline ones, by place. */
  readonly companies: ReadonlyMap<number, bigint>;
}

export async function recordEvidence(
  { pool, bell, vocabulary, alone }: Dependencies,
  request: RecordEvidenceRequest,
): Promise<MessageInitShape<typeof RecordEvidenceResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.observations.length);
  const checked = request.observations.map((record) => checkObservation(source, record));
  const results = new Results(checked);
  const records = placed(checked);
  const write = () => inTransaction(pool, (client) => writeBatch(client, vocabulary, source, records, results));
  const { tx, companies } = await (records.some((record) => record.company) ? alone(write) : write());
  if (tx !== undefined) bell.ring(tx);
  const observations = results.all().map((result, place) => toResponse(result, companies.get(place)));
  return { observations, tx: tx ?? 0n };
}

/**
 * Writes a batch. Locks are taken in one order everywhere: resolution, companies, keys, the stamp lock; so that racing
 * batches wait for each other and never deadlock. Whoever names companies inline holds resolution alone.
 */
async function writeBatch(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  records: readonly PlacedRecord[],
  results: Results,
): Promise<Written> {
  if (records.some((record) => record.company)) await lockResolution(client);
  else await holdResolution(client);
  const takeDowns = await readStandingTakeDowns(client);
  const allowed = records.filter((record) => isAllowed(record.place, takeDowns.coversRecord(source, record), results));
  const inline = allowed.flatMap((record) => record.company ?? []);
  const resolved = await resolveInline(client, vocabulary, source, inline);
  const keyed = new Set(allowed.flatMap((record) => (record.company ? [] : record.companyKey)));
  const locked = await lockCompanies(client, source, [...keyed]);
  const byKey = new Map(locked.map((company) => [company.key, company]));
  const ready = allowed.flatMap((record): ReadyRecord[] => {
    const company = (record.company ? resolved.byKey : byKey).get(record.companyKey);
    if (!company) {
      results.set(record.place, refused('its company is not recorded: record the company first'));
      return [];
    }
    const { companyId, survivorId } = company;
    return isAllowed(record.place, takeDowns.coversCompany(survivorId), results)
      ? [{ ...record, companyId, survivorId }]
      : [];
  });
  const changed = new Set<bigint>();
  const open = await withClosings(client, ready);
  for (const round of inRounds(open, MEETING))
    for (const id of await writeRound(client, source, round, results)) changed.add(id);
  const tx = (await noteObservations(client, [...changed])) ?? resolved.tx;
  const companies = ready.flatMap((record): [number, bigint][] =>
    record.company ? [[record.place, record.survivorId]] : [],
  );
  return { tx, companies: new Map(companies) };
}

/** False, with a refusal, when a take-down covers the record. */
function isAllowed(place: number, takeDownId: bigint | undefined, results: Results): boolean {
  if (takeDownId !== undefined) results.set(place, refused(`take-down ${takeDownId} covers it`));
  return takeDownId === undefined;
}

/** The records with the expiry that known closings of their events leave them. */
async function withClosings(client: Queryable, records: readonly ReadyRecord[]): Promise<readonly ReadyRecord[]> {
  const keysOf = ({ kind, eventNumbers }: ReadyRecord) => eventNumbers.map((number) => ({ ...number, kind }));
  const closings = await findClosings(client, records.flatMap(keysOf));
  if (closings.length === 0) return records;
  return records.map((record) => {
    const numbers = new Set(keysOf(record).map(({ scheme, value, kind }) => `${scheme} ${value} ${kind}`));
    const about = closings.filter(
      ({ scheme, value, kind, closedAt, survivorId }) =>
        numbers.has(`${scheme} ${value} ${kind}`) &&
        closes({ number: { scheme, value }, closedAt, survivorId }, record.survivorId),
    );
    return { ...record, expiresAt: expiryAfter(record, about) };
  });
}

function toResponse(result: Result, companyId = 0n) {
  if (result.outcome === RecordOutcome.REFUSED) return { outcome: result.outcome, reason: result.reason };
  return { outcome: result.outcome, observationId: result.id, companyId };
}
