import { TooLarge, Undecodable } from '../connector/unreadable.ts';

/** The message contains no secret and is shown to operators. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly transient: boolean;
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

export class BudgetUsedUp extends Error {
  override readonly name = 'BudgetUsedUp';
}

/** Its message may be shown to operators. */
export function isSourceFailure(error: unknown): error is FetchFailed | TooLarge | Undecodable {
  return error instanceof FetchFailed || error instanceof TooLarge || error instanceof Undecodable;
}
