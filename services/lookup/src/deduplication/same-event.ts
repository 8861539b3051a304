import { type EventIdentifier, type EventKey, isDiscriminating } from './event-key.ts';

/** An observation that shares an event key with a record. */
export interface EventCandidate {
  readonly observationId: bigint;
  readonly canonicalId: bigint;
  /** The event key they share. */
  readonly shared: EventKey;
  /** All identifiers of the observation. */
  readonly identifiers: readonly EventIdentifier[];
}

/**
 * The observation of the same event as a record: one with a shared identifier, else one of the same company, kind,
 * day and title whose identifiers do not differ (decision 0016). The oldest, when there are several.
 */
export function findSameEvent(
  record: { readonly canonicalId: bigint; readonly eventIdentifiers: readonly EventIdentifier[] },
  candidates: readonly EventCandidate[],
): bigint | undefined {
  const oldest = [...candidates].sort((a, b) => (a.observationId < b.observationId ? -1 : 1));
  const byNumber = oldest.find(
    ({ shared, canonicalId }) =>
      shared.scheme !== 'title' &&
      (canonicalId === record.canonicalId || isDiscriminating({ scheme: shared.scheme, value: shared.value })),
  );
  const byTitle = oldest.find(
    ({ shared, canonicalId, identifiers }) =>
      shared.scheme === 'title' &&
      canonicalId === record.canonicalId &&
      !eventIdentifiersDiffer(record.eventIdentifiers, identifiers),
  );
  return (byNumber ?? byTitle)?.observationId;
}

/** Whether both have identifiers of one scheme and none in common. */
function eventIdentifiersDiffer(ours: readonly EventIdentifier[], theirs: readonly EventIdentifier[]): boolean {
  return ours.some(({ scheme }) => {
    const values = theirs.filter((identifier) => identifier.scheme === scheme).map((identifier) => identifier.value);
    return (
      values.length > 0 && !ours.some((identifier) => identifier.scheme === scheme && values.includes(identifier.value))
    );
  });
}
