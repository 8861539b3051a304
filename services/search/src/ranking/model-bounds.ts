export interface ModelBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
}
