import { type EventIdentifier, type EventKey, isDiscriminating } from './event-key.ts';

export interface EventCandidate {
  readonly observationId: bigint;
  readonly canonicalId: bigint;
  readonly shared: EventKey;
  readonly identifiers: readonly EventIdentifier[];
}

/** Matches by identifier, else by company, kind, day and title (decision 0016). The oldest wins. */
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

function eventIdentifiersDiffer(ours: readonly EventIdentifier[], theirs: readonly EventIdentifier[]): boolean {
  return ours.some(({ scheme }) => {
    const values = theirs.filter((identifier) => identifier.scheme === scheme).map((identifier) => identifier.value);
    return (
      values.length > 0 && !ours.some((identifier) => identifier.scheme === scheme && values.includes(identifier.value))
    );
  });
}
