import type { Queryable } from '@ces/chassis/postgres/pool';
import { findEventCandidates } from '../db/event-key.ts';
import type { AssignedRecord } from '../db/observation.ts';
import { readRecorded } from '../db/source-record.ts';
import type { KnownRecord } from '../deduplication/decide-repeat.ts';
import type { EventKey } from '../deduplication/event-key.ts';
import { type EventCandidate, findSameEvent } from '../deduplication/same-event.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import type { ConflictRule } from './conflict-free-prefix.ts';

export type ResolvedRecord = CheckedObservation & {
  readonly index: number;
  readonly companyId: bigint;
  readonly canonicalId: bigint;
  readonly eventKeys: readonly EventKey[];
};

export interface RecordedEvents {
  readonly known: ReadonlyMap<string, KnownRecord>;
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
 * Records conflict by source key, event identifier or recorded observation; also by company, day
 * and title, unless identifiers of one scheme differ.
 */
export function eventConflicts(recorded: RecordedEvents): ConflictRule<ResolvedRecord> {
  return {
    conflictKeysOf: (record) => conflictKeysOf(record, recorded),
    topicsOf: (record) => topicsOf(record, recorded),
    marksOf: (record) => record.eventIdentifiers.map(({ scheme }) => scheme),
  };
}

/**
 * Records whose order matters: an earlier one may give an observation an identifier that excludes a
 * later one.
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

/** Topics of the record's company and of its observation's. */
function topicsOf(record: ResolvedRecord, recorded: RecordedEvents): string[] {
  const companies = new Set([record.canonicalId, eventOf(record, recorded)?.canonicalId ?? record.canonicalId]);
  return titlesOf(record).flatMap((title) => [...companies].map((id) => `${title} ${id}`));
}

function titlesOf(record: ResolvedRecord): string[] {
  const title = record.company && record.eventKeys.find(({ scheme }) => scheme === 'title');
  return title ? [`title ${title.value}`] : [];
}

function eventOf(record: ResolvedRecord, recorded: RecordedEvents) {
  const known = recorded.known.get(record.key);
  if (known) return { id: known.observationId, canonicalId: known.eventCanonicalId };
  const candidates = sharing(record, recorded);
  const id = findSameEvent(record, candidates);
  const candidate = candidates.find(({ observationId }) => observationId === id);
  return candidate && { id: candidate.observationId, canonicalId: candidate.canonicalId };
}

/** The given records must not conflict with each other. */
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
