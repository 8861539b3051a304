/** SQLSTATE lock_not_available and deadlock_detected. */
const LOCKED_OUT: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Whether a statement failed on locks that others hold; it changed nothing and may be retried. */
export function isLockedOut(error: unknown): boolean {
  return LOCKED_OUT.has((error as { code?: unknown }).code);
}
