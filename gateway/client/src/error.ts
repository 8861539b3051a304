import type { Allowance, ErrorCode, Operation as Usage } from './generated/openapi.ts';

/** Codes of errors that the client itself detects. */
export type LocalErrorCode =
  /** No answer, or none in time, or an incomplete one. */
  | 'connection_failed'
  /** An answer that the interface does not give, mostly from a proxy. */
  | 'unexpected_answer'
  /** A redirect, which the client does not follow because of the API key. */
  | 'redirect_refused';

/** All known codes; the service may add some. */
export type CesErrorCode = ErrorCode | LocalErrorCode | (string & {});

export interface CesErrorDetails {
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly allowance?: Allowance | undefined;
  readonly requestId?: string | undefined;
  readonly requestKey?: string | undefined;
  readonly cause?: unknown;
}

/** The error of every failed call, except aborted ones. It never contains the API key. */
export class CesError extends Error {
  override readonly name = 'CesError';
  /** The code to branch on. */
  readonly code: CesErrorCode;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** When the same call would be admitted; advisory. */
  readonly retryAt: Date | undefined;
  /** Milliseconds from the answer to `retryAt`; independent of the local clock. */
  readonly retryAfterMs: number | undefined;
  /** The operation that stores this failure. */
  readonly usage: Usage | undefined;
  readonly allowance: Allowance | undefined;
  readonly requestId: string | undefined;
  /** Retry with this key to continue the same operation without a further charge. */
  readonly requestKey: string | undefined;

  constructor(code: CesErrorCode, message: string, details: CesErrorDetails = {}) {
    super(redactApiKeys(message), { cause: redactCause(details.cause) });
    this.code = redactApiKeys(code);
    this.status = details.status ?? 0;
    this.retryAt = details.retryAt;
    this.retryAfterMs = details.retryAfterMs;
    this.usage = details.usage;
    this.allowance = details.allowance;
    this.requestId = details.requestId;
    this.requestKey = details.requestKey;
  }

  /** Whether `error` is a CesError, and has `code` if given. */
  static is<Code extends CesErrorCode = CesErrorCode>(
    error: unknown,
    code?: Code,
  ): error is CesError & { readonly code: Code } {
    return error instanceof CesError && (code === undefined || error.code === code);
  }
}

const DEEPEST = 5;

function redactApiKeys(text: string): string {
  return text.replace(/\bces_(live|test)_[0-9A-Za-z]+/g, 'ces_$1_…');
}

/** Other members may hold the request with the API key. */
function redactCause(cause: unknown, depth = 0): Error | undefined {
  if (!(cause instanceof Error) || depth > DEEPEST) return undefined;
  const inner = redactCause(cause.cause, depth + 1);
  const copy = new Error(redactApiKeys(cause.message), inner && { cause: inner });
  Object.defineProperty(copy, 'name', { value: cause.name, configurable: true, writable: true });
  if (cause.stack !== undefined) copy.stack = redactApiKeys(cause.stack);
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: redactApiKeys(code) }) : copy;
}
