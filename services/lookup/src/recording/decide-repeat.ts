import type { KindName } from '@ces/proto/catalog';
import type { CheckedObservation } from '../validation/check-observation.ts';

/** What the record holds of a source record that comes again. */
export interface RecordedBefore {
  readonly observationId: bigint;
  /** The company that survives of the one the record named. */
  readonly survivorId: bigint;
  readonly kind: KindName;
  readonly contentHash: Uint8Array;
  readonly seenAt: Date;
  /** Whether the observation says what this record says, not another one of its source or of another source. */
  readonly tells: boolean;
  /** Whether the observation belongs to the source of this record. */
  readonly ownSource: boolean;
  /** Event date of the record that the observation says the words of. */
  readonly toldAt: Date | undefined;
}

/**
 * What a source record that comes again means. `latest`: no later sight of it is known; `tells`: the observation says what
 * this record says.
 */
export type KnownDecision =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'seen'; readonly latest: boolean; readonly tells: boolean }
  | { readonly kind: 'amended'; readonly latest: boolean; readonly tells: boolean };

/** An unchanged record is a later sight, a changed one an amendment; what is older than what is known moves nothing back. */
export function decideKnown(record: CheckedObservation, survivorId: bigint, before: RecordedBefore): KnownDecision {
  if (before.survivorId !== survivorId)
    return { kind: 'refused', reason: 'it was recorded with another company, which never changes' };
  if (before.kind !== record.kind)
    return { kind: 'refused', reason: `it was recorded as ${before.kind}, which never changes` };
  const latest = record.seenAt >= before.seenAt;
  const unchanged = Buffer.compare(record.contentHash, before.contentHash) === 0;
  if (unchanged) return { kind: 'seen', latest, tells: before.tells };
  return { kind: 'amended', latest, tells: before.tells || takesOver(record, before) };
}

/** Of several records of one source about one event the observation says what the newest says. */
export function takesOver(
  { occurredAt }: Pick<CheckedObservation, 'occurredAt'>,
  { ownSource, toldAt }: Pick<RecordedBefore, 'ownSource' | 'toldAt'>,
): boolean {
  return ownSource && (!toldAt || (occurredAt !== undefined && occurredAt >= toldAt));
}
