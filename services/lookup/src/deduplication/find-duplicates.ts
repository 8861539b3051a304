import type { Queryable } from '@ces/chassis/postgres/pool';
import { findEventCandidates } from '../db/event-key.ts';
import type { PlacedObservation } from '../db/observation.ts';
import type { Meeting } from '../recording/conflict-free-batches.ts';
import { decideKnown, type RecordedBefore } from '../recording/decide-repeat.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { type EventKey, type EventNumber, eventKeysOf } from './event-key.ts';
import { type EventCandidate, findSameEvent, numbersDiffer } from './same-event.ts';

/** A record whose company is known; `survivorId` is whom that one was merged into. */
export type ReadyRecord = CheckedObservation & {
  readonly place: number;
  readonly companyId: bigint;
  readonly survivorId: bigint;
};

/** A record and the observation it is, or joins. */
export type Placed = PlacedObservation & { readonly record: ReadyRecord };

/** Records of one event or key meet; those of one company, day and title unless their numbers differ. */
export const MEETING: Meeting<ReadyRecord> = {
  keysOf: (record) => [
    `key ${record.key}`,
    ...(record.company ? record.eventNumbers : []).map(({ scheme, value }) => `${scheme} ${record.kind} ${value}`),
  ],
  topicOf: (record) => {
    const title = record.company && eventKeysOf(record).find(({ scheme }) => scheme === 'title');
    return title && `${record.survivorId} ${title.value}`;
  },
  parted: (one, other) => numbersDiffer(one.eventNumbers, other.eventNumbers),
};

/**
 * The new ones of a round's records that tell of an event that is recorded already, with its observation. What joins or
 * amends an observation brings it its numbers before the next record is looked at, as if each were written by itself.
 */
export async function findJoining(
  client: Queryable,
  records: readonly ReadyRecord[],
  before: ReadonlyMap<string, RecordedBefore>,
): Promise<Placed[]> {
  const fresh = records.filter((record) => !before.has(record.key));
  const sought = fresh.flatMap((record) =>
    eventKeysOf(record).map((key) => ({ ...key, survivorId: record.survivorId })),
  );
  const candidates = Map.groupBy(await findEventCandidates(client, sought), ({ shared }) => textOf(shared));
  if (candidates.size === 0) return [];
  const gained = new Map<bigint, EventNumber[]>();
  return records.flatMap((record) => {
    const recorded = before.get(record.key);
    const observationId = recorded ? amendedBy(record, recorded) : joinedBy(record, candidates, gained);
    if (observationId === undefined) return [];
    gained.set(observationId, [...(gained.get(observationId) ?? []), ...record.eventNumbers]);
    return recorded ? [] : [{ observationId, companyId: record.companyId, record }];
  });
}

function joinedBy(
  record: ReadyRecord,
  candidates: ReadonlyMap<string, readonly EventCandidate[]>,
  gained: ReadonlyMap<bigint, readonly EventNumber[]>,
): bigint | undefined {
  const sharing = eventKeysOf(record)
    .flatMap((key) => candidates.get(textOf(key)) ?? [])
    .map((one) => ({ ...one, numbers: [...one.numbers, ...(gained.get(one.observationId) ?? [])] }));
  return findSameEvent(record, sharing);
}

function amendedBy(record: ReadyRecord, recorded: RecordedBefore): bigint | undefined {
  const decision = decideKnown(record, record.survivorId, recorded);
  return decision.kind === 'amended' && decision.latest ? recorded.observationId : undefined;
}

function textOf({ scheme, value, kind }: EventKey): string {
  return `${scheme} ${value} ${kind}`;
}
