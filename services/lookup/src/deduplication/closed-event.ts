import { type EventIdentifier, isDiscriminating } from './event-key.ts';

export interface KnownClosing {
  readonly identifier: EventIdentifier;
  readonly closedAt: Date;
  readonly canonicalId: bigint | undefined;
}

export function closesEvent({ identifier, canonicalId }: KnownClosing, eventCanonicalId: bigint): boolean {
  return isDiscriminating(identifier) || canonicalId === eventCanonicalId;
}

/** The earliest of the source's expiry and the closings since the event. */
export function expiryAfter(
  event: { readonly expiresAt: Date | undefined; readonly occurredAt: Date | undefined },
  closings: readonly { readonly closedAt: Date }[],
): Date | undefined {
  const { expiresAt, occurredAt } = event;
  const after = closings.map((one) => one.closedAt).filter((at) => !occurredAt || at >= occurredAt);
  const all = expiresAt ? [...after, expiresAt] : after;
  return all.length === 0 ? undefined : all.reduce((first, at) => (at < first ? at : first));
}
