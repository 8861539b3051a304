import { type EventKey, type EventNumber, isTelling } from './event-key.ts';

/** An observation that shares a key with a record. */
export interface EventCandidate {
  readonly observationId: bigint;
  readonly survivorId: bigint;
  /** The key they share. */
  readonly shared: EventKey;
  /** All numbers of the observation. */
  readonly numbers: readonly EventNumber[];
}

/**
 * The observation that tells of the same event as a record: one with a shared number, else one of the same company, kind,
 * day and title whose numbers do not say otherwise (decisions.md, Evidence). The oldest, when there are several.
 */
export function findSameEvent(
  record: { readonly survivorId: bigint; readonly eventNumbers: readonly EventNumber[] },
  candidates: readonly EventCandidate[],
): bigint | undefined {
  const oldest = [...candidates].sort((a, b) => (a.observationId < b.observationId ? -1 : 1));
  const byNumber = oldest.find(
    ({ shared, survivorId }) =>
      shared.scheme !== 'title' &&
      (survivorId === record.survivorId || isTelling({ scheme: shared.scheme, value: shared.value })),
  );
  const byTitle = oldest.find(
    ({ shared, survivorId, numbers }) =>
      shared.scheme === 'title' && survivorId === record.survivorId && !numbersDiffer(record.eventNumbers, numbers),
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
