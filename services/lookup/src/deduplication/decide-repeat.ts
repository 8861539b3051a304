import type { KindName } from '@ces/proto/catalog';

export interface KnownRecord {
  readonly observationId: bigint;
  readonly canonicalId: bigint;
  /** Another record may have named the company. */
  readonly eventCanonicalId: bigint;
  readonly kind: KindName;
  readonly contentHash: Uint8Array;
  readonly lastSeenAt: Date;
  readonly setsWording: boolean;
  readonly ownSource: boolean;
  readonly wordingOccurredAt: Date | undefined;
}

interface RepeatedRecord {
  readonly kind: KindName;
  readonly contentHash: Uint8Array;
  readonly lastSeenAt: Date;
  readonly occurredAt: Date | undefined;
}

/** `latest` is true if no later occurrence is known. */
export type RepeatDecision =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'seen'; readonly latest: boolean; readonly setsWording: boolean }
  | { readonly kind: 'amended'; readonly latest: boolean; readonly setsWording: boolean };

/** Changed content is an amendment. An older occurrence does not undo a newer one. */
export function decideRepeat(record: RepeatedRecord, canonicalId: bigint, known: KnownRecord): RepeatDecision {
  if (known.canonicalId !== canonicalId)
    return { kind: 'refused', reason: 'it was recorded with another company, which never changes' };
  if (known.kind !== record.kind)
    return { kind: 'refused', reason: `it was recorded as ${known.kind}, which never changes` };
  const latest = record.lastSeenAt >= known.lastSeenAt;
  const unchanged = Buffer.compare(record.contentHash, known.contentHash) === 0;
  if (unchanged) return { kind: 'seen', latest, setsWording: known.setsWording };
  return { kind: 'amended', latest, setsWording: known.setsWording || takesOverWording(record, known) };
}

/** The source's newest record about an event sets it. */
export function takesOverWording(
  { occurredAt }: Pick<RepeatedRecord, 'occurredAt'>,
  { ownSource, wordingOccurredAt }: Pick<KnownRecord, 'ownSource' | 'wordingOccurredAt'>,
): boolean {
  return ownSource && (!wordingOccurredAt || (occurredAt !== undefined && occurredAt >= wordingOccurredAt));
}
