import { ERROR_CODES, type ErrorBody, type ErrorCode } from '../schema/error.ts';

interface PublicErrorOptions {
  /** Replaces the status of the code's row. */
  readonly status?: number;
  readonly retryAt?: Date;
  readonly retryAfterSeconds?: number;
  /** What stands in the body beside `error`. */
  readonly context?: Pick<ErrorBody, 'usage' | 'request_allowance'>;
  /** Headers that this error alone carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log alone. */
  readonly cause?: unknown;
}

/** An error as the client may read it; everything else that is thrown is shown as `internal_error`. */
export class PublicError extends Error {
  override readonly name = 'PublicError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: PublicErrorOptions;

  constructor(code: ErrorCode, message: string, options: PublicErrorOptions = {}) {
    super(hideTokens(message), { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERROR_CODES[code].status;
    this.headers = { ...headersOf(code), ...retryAfter(options.retryAfterSeconds), ...options.headers };
    this.#options = options;
  }

  /** The same error with more headers. */
  withHeaders(headers: Readonly<Record<string, string>>): PublicError {
    return new PublicError(this.code, this.message, {
      ...this.#options,
      headers: { ...this.#options.headers, ...headers },
    });
  }

  body(): ErrorBody {
    const { retryAt, retryAfterSeconds, context } = this.#options;
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(retryAt && { retry_at: retryAt.toISOString() }),
        ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      },
      ...context,
    };
  }
}

/** Input that does not have the shape the interface asks for; the route says which code that is. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}

const TOKEN = /\bces_(live|test)_[0-9A-Za-z]+/g;

/** A text that may quote what a client sent, without the credentials it may have put in the wrong place. */
function hideTokens(text: string): string {
  return text.replace(TOKEN, 'ces_$1_…');
}

/** Seconds after which an outage is worth another try. */
const OUTAGE_RETRY_SECONDS = '2';

function headersOf(code: ErrorCode): Record<string, string> {
  if (code === 'invalid_api_key') return { 'www-authenticate': 'Bearer' };
  if (code === 'service_unavailable') return { 'retry-after': OUTAGE_RETRY_SECONDS };
  return {};
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}
