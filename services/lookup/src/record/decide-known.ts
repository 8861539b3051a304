import type { KindWord } from './catalog.ts';
import type { CheckedObservation } from './check-observation.ts';

/** What the record holds of a source record that comes again. */
export interface RecordedBefore {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly kind: KindWord;
  readonly contentHash: Uint8Array;
  readonly seenAt: Date;
}

/** What a source record that comes again means; `latest`: no later sight of it is known. */
export type KnownDecision =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'seen'; readonly latest: boolean }
  | { readonly kind: 'amended'; readonly latest: boolean };

/** An unchanged record is a later sight, a changed one an amendment; what is older than what is known moves nothing back. */
export function decideKnown(record: CheckedObservation, companyId: bigint, before: RecordedBefore): KnownDecision {
  if (before.companyId !== companyId)
    return { kind: 'refused', reason: 'it was recorded with another company, which never changes' };
  if (before.kind !== record.kind)
    return { kind: 'refused', reason: `it was recorded as ${before.kind}, which never changes` };
  const latest = record.seenAt >= before.seenAt;
  const unchanged = Buffer.compare(record.contentHash, before.contentHash) === 0;
  return { kind: unchanged ? 'seen' : 'amended', latest };
}
