/** A source that does not answer as it should; the message names no secret and is shown to operators. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  /** Whether the same request may go well later. */
  readonly transient: boolean;
  /** How long the source asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { transient?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.transient = options.transient ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The source's budget of the day is used up. */
export class BudgetUsedUp extends Error {
  override readonly name = 'BudgetUsedUp';
}
