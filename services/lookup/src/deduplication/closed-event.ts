import { type EventIdentifier, isDiscriminating } from './event-key.ts';

/** A closing and the company that it is about, as far as that is known. */
export interface KnownClosing {
  readonly identifier: EventIdentifier;
  readonly closedAt: Date;
  /** The canonical company; undefined when the closing names none that is recorded. */
  readonly canonicalId: bigint | undefined;
}

/** Whether a closing is about an event of a company: by its identifier, or by its company. */
export function closesEvent({ identifier, canonicalId }: KnownClosing, eventCanonicalId: bigint): boolean {
  return isDiscriminating(identifier) || canonicalId === eventCanonicalId;
}

/** When an event expires that closings are about: never later than the source gave, and never by one from before it occurred. */
export function expiryAfter(
  event: { readonly expiresAt: Date | undefined; readonly occurredAt: Date | undefined },
  closings: readonly { readonly closedAt: Date }[],
): Date | undefined {
  const { expiresAt, occurredAt } = event;
  const after = closings.map((one) => one.closedAt).filter((at) => !occurredAt || at >= occurredAt);
  const all = expiresAt ? [...after, expiresAt] : after;
  return all.length === 0 ? undefined : all.reduce((first, at) => (at < first ? at : first));
}
