/** Why a command cannot do what was asked: one sentence that says what to do. Exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** What scripts branch on. */
  readonly code: string;
  /** Printed instead of a made-up body with --json. */
  readonly body: unknown;

  constructor(message: string, options: { code?: string; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'refused';
    this.body = options.body ?? { error: { code: this.code, message } };
  }
}

/** A command line that cannot be meant; exit code 2. */
export class UsageError extends Refusal {
  constructor(message: string) {
    super(message, { code: 'usage' });
  }
}
