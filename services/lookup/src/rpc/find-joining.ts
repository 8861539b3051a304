import type { Queryable } from '@ces/chassis/postgres';
import { findEventCandidates } from '../db/event-key.ts';
import type { PlacedObservation } from '../db/observation.ts';
import { eventKeysOf } from '../event/event-key.ts';
import { findSameEvent } from '../event/same-event.ts';
import type { CheckedObservation } from '../record/check-observation.ts';

/** A record whose company is known; `survivorId` is whom that one was merged into. */
export type ReadyRecord = CheckedObservation & {
  readonly place: number;
  readonly companyId: bigint;
  readonly survivorId: bigint;
};

/** A record and the observation it is, or joins. */
export type Placed = PlacedObservation & { readonly record: ReadyRecord };

/** What a record is found by, for rounds: its key, its event's numbers, its company's event of that day and title. */
export function meetingPoints(record: ReadyRecord): string[] {
  const events = record.company ? eventKeysOf(record) : [];
  return [
    `key ${record.key}`,
    ...events.map(({ scheme, value, kind }) =>
      scheme === 'title' ? `title ${record.survivorId} ${value}` : `${scheme} ${kind} ${value}`,
    ),
  ];
}

/** New records that tell of an event that is recorded already, with its observation. */
export async function findJoining(client: Queryable, records: readonly ReadyRecord[]): Promise<Placed[]> {
  const keys = records.map((record) => eventKeysOf(record));
  const sought = records.flatMap(({ survivorId }, place) => (keys[place] ?? []).map((key) => ({ ...key, survivorId })));
  const candidates = await findEventCandidates(client, sought);
  if (candidates.length === 0) return [];
  return records.flatMap((record, place) => {
    const own = new Set((keys[place] ?? []).map(({ scheme, value, kind }) => `${scheme} ${value} ${kind}`));
    const sharing = candidates.filter(({ shared }) => own.has(`${shared.scheme} ${shared.value} ${shared.kind}`));
    const observationId = findSameEvent(record, sharing);
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
}
