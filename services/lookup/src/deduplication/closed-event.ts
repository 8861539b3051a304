import { type EventNumber, isTelling } from './event-key.ts';

/** A closing and whom it is about, as far as that is known. */
export interface KnownClosing {
  readonly number: EventNumber;
  readonly closedAt: Date;
  /** The surviving company; undefined when the closing names none that is recorded. */
  readonly survivorId: bigint | undefined;
}

/** Whether a closing is about an event of a company: its number says so, or the company does. */
export function closes({ number, survivorId }: KnownClosing, eventSurvivorId: bigint): boolean {
  return isTelling(number) || survivorId === eventSurvivorId;
}

/** When an event expires that closings are about: never later than the source said, and never by one from before it occurred. */
export function expiryAfter(
  event: { readonly expiresAt: Date | undefined; readonly occurredAt: Date | undefined },
  closings: readonly { readonly closedAt: Date }[],
): Date | undefined {
  const { expiresAt, occurredAt } = event;
  const after = closings.map((one) => one.closedAt).filter((at) => !occurredAt || at >= occurredAt);
  const all = expiresAt ? [...after, expiresAt] : after;
  return all.length === 0 ? undefined : all.reduce((first, at) => (at < first ? at : first));
}
