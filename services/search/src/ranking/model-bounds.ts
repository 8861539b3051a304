export interface ModelBounds {
  readonly signal: AbortSignal;
  /** The time until the caller's deadline, in milliseconds. */
  readonly timeoutMs: number | undefined;
}
