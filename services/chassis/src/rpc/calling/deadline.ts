/**
 * A deadline of `performance.now()` as the library wants it: an instant of the clock on the wall. Made where it is handed over,
 * since that clock is set now and then.
 */
export function libraryDeadline(deadline: number): number {
  return Date.now() + deadline - performance.now();
}
