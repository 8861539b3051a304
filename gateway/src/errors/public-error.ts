import { ERROR_CODES, type ErrorBody, type ErrorCode } from '../schema/error.ts';

interface PublicErrorOptions {
  readonly status?: number;
  readonly retryAt?: Date;
  readonly retryAfterSeconds?: number;
  readonly context?: Pick<ErrorBody, 'usage' | 'request_allowance'>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Every other thrown error is shown as `internal_error`. */
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

/** The route determines the error code. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}

const TOKEN = /\bces_(live|test)_[0-9A-Za-z]+/g;

/** Messages may quote credentials. */
function hideTokens(text: string): string {
  return text.replace(TOKEN, 'ces_$1_…');
}

/** Retry-After of service_unavailable, in seconds. */
const OUTAGE_RETRY_SECONDS = '2';

function headersOf(code: ErrorCode): Record<string, string> {
  if (code === 'invalid_api_key') return { 'www-authenticate': 'Bearer' };
  if (code === 'service_unavailable') return { 'retry-after': OUTAGE_RETRY_SECONDS };
  return {};
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}
