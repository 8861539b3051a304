import type { Queryable } from '@ces/chassis/postgres/pool';
import { findEventCandidates } from '../db/event-key.ts';
import type { AssignedRecord } from '../db/observation.ts';
import { readRecorded } from '../db/source-record.ts';
import type { ConflictRule } from '../recording/conflict-free-beginning.ts';
import type { KnownRecord } from '../recording/decide-repeat.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import type { EventKey } from './event-key.ts';
import { type EventCandidate, findSameEvent } from './same-event.ts';

/** A record whose company is known; `canonicalId` is what that one was merged into. */
export type ResolvedRecord = CheckedObservation & {
  readonly index: number;
  readonly companyId: bigint;
  readonly canonicalId: bigint;
  /** What it is found by, computed once: it is looked at several times. */
  readonly eventKeys: readonly EventKey[];
};

/** What is recorded already of the events that records with a company of their own are about. */
export interface RecordedEvents {
  /** By source key. */
  readonly known: ReadonlyMap<string, KnownRecord>;
  /** Observations that share an event key with a record whose source key is new, by the text of the event key. */
  readonly candidates: ReadonlyMap<string, readonly EventCandidate[]>;
}

export async function readRecordedEvents(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
): Promise<RecordedEvents> {
  const inline = records.filter((record) => record.company);
  if (inline.length === 0) return { known: new Map(), candidates: new Map() };
  const keys = inline.map((record) => record.key);
  const known = await readRecorded(client, source, keys);
  const sought = inline
    .filter((record) => !known.has(record.key))
    .flatMap((record) => record.eventKeys.map((eventKey) => ({ ...eventKey, canonicalId: record.canonicalId })));
  const candidates = Map.groupBy(await findEventCandidates(client, sought), ({ shared }) => eventKeyText(shared));
  return { known, candidates };
}

/**
 * Records of one source key, event identifier or recorded observation conflict; those of one company, day and title unless their
 * identifiers differ: both have one of a scheme, and none in common.
 */
export function eventConflicts(recorded: RecordedEvents): ConflictRule<ResolvedRecord> {
  return {
    conflictKeysOf: (record) => conflictKeysOf(record, recorded),
    topicsOf: (record) => topicsOf(record, recorded),
    marksOf: (record) => record.eventIdentifiers.map(({ scheme }) => scheme),
  };
}

/**
 * What ties records whose order counts: besides what may conflict, each recorded observation that they share an event key with. An
 * earlier record may bring it the identifier that tells a later one apart.
 */
export function eventLinksOf(recorded: RecordedEvents): (record: ResolvedRecord) => string[] {
  return (record) => [
    ...conflictKeysOf(record, recorded),
    ...titlesOf(record),
    ...sharing(record, recorded).map(({ observationId }) => observationText(observationId)),
  ];
}

function conflictKeysOf(record: ResolvedRecord, recorded: RecordedEvents): string[] {
  const event = eventOf(record, recorded);
  return [
    `key ${record.key}`,
    ...(record.company ? record.eventIdentifiers : []).map(({ scheme, value }) => `${scheme} ${record.kind} ${value}`),
    ...(event ? [observationText(event.id)] : []),
  ];
}

/** A title is one of the record's company, and of that of the observation which it is about: that one is found by it from then on. */
function topicsOf(record: ResolvedRecord, recorded: RecordedEvents): string[] {
  const companies = new Set([record.canonicalId, eventOf(record, recorded)?.canonicalId ?? record.canonicalId]);
  return titlesOf(record).flatMap((title) => [...companies].map((id) => `${title} ${id}`));
}

function titlesOf(record: ResolvedRecord): string[] {
  const title = record.company && record.eventKeys.find(({ scheme }) => scheme === 'title');
  return title ? [`title ${title.value}`] : [];
}

/** The recorded observation that a record is about, and its canonical company. */
function eventOf(record: ResolvedRecord, recorded: RecordedEvents) {
  const known = recorded.known.get(record.key);
  if (known) return { id: known.observationId, canonicalId: known.eventCanonicalId };
  const candidates = sharing(record, recorded);
  const id = findSameEvent(record, candidates);
  const candidate = candidates.find(({ observationId }) => observationId === id);
  return candidate && { id: candidate.observationId, canonicalId: candidate.canonicalId };
}

/** The new ones among conflict-free records that are about an event that is recorded already, assigned to its observation. */
export function findDuplicates(
  records: readonly ResolvedRecord[],
  recorded: RecordedEvents,
): AssignedRecord<ResolvedRecord>[] {
  return records.flatMap((record) => {
    if (recorded.known.has(record.key)) return [];
    const observationId = findSameEvent(record, sharing(record, recorded));
    return observationId === undefined ? [] : [{ observationId, companyId: record.companyId, record }];
  });
}

function sharing(record: ResolvedRecord, { candidates }: RecordedEvents): EventCandidate[] {
  if (!record.company) return [];
  return record.eventKeys.flatMap((eventKey) => candidates.get(eventKeyText(eventKey)) ?? []);
}

function observationText(id: bigint): string {
  return `observation ${id}`;
}

function eventKeyText({ scheme, value, kind }: EventKey): string {
  return `${scheme} ${value} ${kind}`;
}
