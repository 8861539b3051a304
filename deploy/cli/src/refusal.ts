export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  /** The JSON that --json prints; by default it is made from the code and the message. */
  readonly body: unknown;

  constructor(message: string, options: { code?: string; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'refused';
    this.body = options.body ?? { error: { code: this.code, message } };
  }
}

/** An invalid command line; exit code 2. */
export class UsageError extends Refusal {
  constructor(message: string) {
    super(message, { code: 'usage' });
  }
}
