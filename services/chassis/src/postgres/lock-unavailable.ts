/** SQLSTATE lock_not_available and deadlock_detected. */
const LOCK_UNAVAILABLE: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

export function isLockUnavailable(error: unknown): boolean {
  return LOCK_UNAVAILABLE.has((error as { code?: unknown }).code);
}
