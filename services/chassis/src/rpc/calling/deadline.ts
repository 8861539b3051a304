/**
 * Converts a deadline of `performance.now()` to the wall-clock time that grpc-js expects. Convert
 * it at the call, because the wall clock may be adjusted.
 */
export function libraryDeadline(deadline: number): number {
  return Date.now() + deadline - performance.now();
}
