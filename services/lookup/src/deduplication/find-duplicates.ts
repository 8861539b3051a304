import type { Queryable } from '@ces/chassis/postgres/pool';
import { findEventCandidates } from '../db/event-key.ts';
import type { AssignedRecord } from '../db/observation.ts';
import type { ConflictRule } from '../recording/conflict-free-batches.ts';
import { decideRepeat, type KnownRecord } from '../recording/decide-repeat.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { type EventIdentifier, type EventKey, eventKeysOf } from './event-key.ts';
import { type EventCandidate, eventIdentifiersDiffer, findSameEvent } from './same-event.ts';

/** A record whose company is known; `canonicalId` is what that one was merged into. */
export type ResolvedRecord = CheckedObservation & {
  readonly index: number;
  readonly companyId: bigint;
  readonly canonicalId: bigint;
};

/** Records of one source key or event identifier conflict; those of one company, day and title unless their identifiers differ. */
export const OBSERVATION_CONFLICTS: ConflictRule<ResolvedRecord> = {
  conflictKeysOf: (record) => [
    `key ${record.key}`,
    ...(record.company ? record.eventIdentifiers : []).map(({ scheme, value }) => `${scheme} ${record.kind} ${value}`),
  ],
  topicOf: (record) => {
    const title = record.company && eventKeysOf(record).find(({ scheme }) => scheme === 'title');
    return title && `${record.canonicalId} ${title.value}`;
  },
  areDistinct: (one, other) => eventIdentifiersDiffer(one.eventIdentifiers, other.eventIdentifiers),
};

/**
 * The new ones among conflict-free records that are about an event that is recorded already, assigned to its observation.
 * What duplicates or amends an observation brings it its identifiers before the next record is looked at, as if each were
 * written by itself.
 */
export async function findDuplicates(
  client: Queryable,
  records: readonly ResolvedRecord[],
  known: ReadonlyMap<string, KnownRecord>,
): Promise<AssignedRecord<ResolvedRecord>[]> {
  const fresh = records.filter((record) => !known.has(record.key));
  const sought = fresh.flatMap((record) =>
    eventKeysOf(record).map((eventKey) => ({ ...eventKey, canonicalId: record.canonicalId })),
  );
  const candidates = Map.groupBy(await findEventCandidates(client, sought), ({ shared }) => eventKeyText(shared));
  if (candidates.size === 0) return [];
  const gained = new Map<bigint, EventIdentifier[]>();
  return records.flatMap((record) => {
    const repeated = known.get(record.key);
    const observationId = repeated ? amendedBy(record, repeated) : duplicatedBy(record, candidates, gained);
    if (observationId === undefined) return [];
    const identifiers = gained.get(observationId) ?? [];
    gained.set(observationId, identifiers);
    identifiers.push(...record.eventIdentifiers);
    return repeated ? [] : [{ observationId, companyId: record.companyId, record }];
  });
}

function duplicatedBy(
  record: ResolvedRecord,
  candidates: ReadonlyMap<string, readonly EventCandidate[]>,
  gained: ReadonlyMap<bigint, readonly EventIdentifier[]>,
): bigint | undefined {
  const sharing = eventKeysOf(record)
    .flatMap((eventKey) => candidates.get(eventKeyText(eventKey)) ?? [])
    .map((one) => ({ ...one, identifiers: [...one.identifiers, ...(gained.get(one.observationId) ?? [])] }));
  return findSameEvent(record, sharing);
}

function amendedBy(record: ResolvedRecord, known: KnownRecord): bigint | undefined {
  const decision = decideRepeat(record, record.canonicalId, known);
  return decision.kind === 'amended' && decision.latest ? known.observationId : undefined;
}

function eventKeyText({ scheme, value, kind }: EventKey): string {
  return `${scheme} ${value} ${kind}`;
}
