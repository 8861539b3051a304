import { type EventKey, type EventNumber, isDiscriminating } from './event-key.ts';

/** An observation that shares an event key with a record. */
export interface EventCandidate {
  readonly observationId: bigint;
  readonly canonicalId: bigint;
  /** The event key they share. */
  readonly shared: EventKey;
  /** All numbers of the observation. */
  readonly numbers: readonly EventNumber[];
}

/**
 * The observation of the same event as a record: one with a shared number, else one of the same company, kind,
 * day and title whose numbers do not differ (decision 0024). The oldest, when there are several.
 */
export function findSameEvent(
  record: { readonly canonicalId: bigint; readonly eventNumbers: readonly EventNumber[] },
  candidates: readonly EventCandidate[],
): bigint | undefined {
  const oldest = [...candidates].sort((a, b) => (a.observationId < b.observationId ? -1 : 1));
  const byNumber = oldest.find(
    ({ shared, canonicalId }) =>
      shared.scheme !== 'title' &&
      (canonicalId === record.canonicalId || isDiscriminating({ scheme: shared.scheme, value: shared.value })),
  );
  const byTitle = oldest.find(
    ({ shared, canonicalId, numbers }) =>
      shared.scheme === 'title' && canonicalId === record.canonicalId && !numbersDiffer(record.eventNumbers, numbers),
  );
  return (byNumber ?? byTitle)?.observationId;
}

/** Whether both have numbers of one scheme and none in common. */
export function numbersDiffer(ours: readonly EventNumber[], theirs: readonly EventNumber[]): boolean {
  return ours.some(({ scheme }) => {
    const values = theirs.filter((number) => number.scheme === scheme).map((number) => number.value);
    return values.length > 0 && !ours.some((number) => number.scheme === scheme && values.includes(number.value));
  });
}
