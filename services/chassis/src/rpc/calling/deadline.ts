/** grpc-js expects wall-clock time. Convert at the call, because that clock may be adjusted. */
export function libraryDeadline(deadline: number): number {
  return Date.now() + deadline - performance.now();
}
