import type { KindName } from '@ces/proto/catalog';
import type { CheckedObservation } from '../validation/check-observation.ts';

/** What the record holds of a source record that comes again. */
export interface KnownRecord {
  readonly observationId: bigint;
  /** The canonical company of the one that the record named. */
  readonly canonicalId: bigint;
  /** That of the observation, which another one may have named. */
  readonly eventCanonicalId: bigint;
  readonly kind: KindName;
  readonly contentHash: Uint8Array;
  readonly lastSeenAt: Date;
  /** Whether the observation has the wording of this record, not of another one of its source or of another source. */
  readonly setsWording: boolean;
  /** Whether the observation belongs to the source of this record. */
  readonly ownSource: boolean;
  /** Event date of the record whose wording the observation has. */
  readonly wordingOccurredAt: Date | undefined;
}

/**
 * What a source record that comes again means. `latest`: no later occurrence of it is known; `setsWording`: the observation
 * has the wording of this record.
 */
export type RepeatDecision =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'seen'; readonly latest: boolean; readonly setsWording: boolean }
  | { readonly kind: 'amended'; readonly latest: boolean; readonly setsWording: boolean };

/** An unchanged record is a later occurrence, a changed one an amendment; what is older than what is known moves nothing back. */
export function decideRepeat(record: CheckedObservation, canonicalId: bigint, known: KnownRecord): RepeatDecision {
  if (known.canonicalId !== canonicalId)
    return { kind: 'refused', reason: 'it was recorded with another company, which never changes' };
  if (known.kind !== record.kind)
    return { kind: 'refused', reason: `it was recorded as ${known.kind}, which never changes` };
  const latest = record.lastSeenAt >= known.lastSeenAt;
  const unchanged = Buffer.compare(record.contentHash, known.contentHash) === 0;
  if (unchanged) return { kind: 'seen', latest, setsWording: known.setsWording };
  return { kind: 'amended', latest, setsWording: known.setsWording || takesOverWording(record, known) };
}

/** Of several records of one source about one event the newest sets the wording of the observation. */
export function takesOverWording(
  { occurredAt }: Pick<CheckedObservation, 'occurredAt'>,
  { ownSource, wordingOccurredAt }: Pick<KnownRecord, 'ownSource' | 'wordingOccurredAt'>,
): boolean {
  return ownSource && (!wordingOccurredAt || (occurredAt !== undefined && occurredAt >= wordingOccurredAt));
}
