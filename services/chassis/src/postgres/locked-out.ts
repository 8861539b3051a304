/** lock_not_available and deadlock_detected. */
const LOCKED_OUT: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Whether a statement did not get a table that others hold: nothing was done, and it may be tried again once they are through. */
export function isLockedOut(error: unknown): boolean {
  return LOCKED_OUT.has((error as { code?: unknown }).code);
}
