import type { Allowance, ErrorCode, Operation as Usage } from './generated/openapi.ts';
import { harmlessCause, hideKeys } from './harmless.ts';

/** Codes of what went wrong on this side of the interface. */
export type LocalErrorCode =
  /** Nothing answered, not in time, or not to the end. */
  | 'connection_failed'
  /** Something answered, and not as the interface does: mostly a proxy in between. */
  | 'unexpected_answer'
  /** The answer sends elsewhere, where no API key may go. */
  | 'redirect_refused';

/** Every code that is known today; the service may add some. */
export type CesErrorCode = ErrorCode | LocalErrorCode | (string & {});

export interface CesErrorDetails {
  /** HTTP status; absent when nothing answered. */
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly allowance?: Allowance | undefined;
  readonly requestId?: string | undefined;
  readonly requestKey?: string | undefined;
  readonly cause?: unknown;
}

/** What every call of the client throws, but for the reason of an AbortSignal. It never carries the API key. */
export class CesError extends Error {
  override readonly name = 'CesError';
  /** What to branch on. */
  readonly code: CesErrorCode;
  /** HTTP status; 0 when nothing answered. */
  readonly status: number;
  /** When the same call would be admitted; advisory. */
  readonly retryAt: Date | undefined;
  /** The same as milliseconds from the answer, which does not depend on the clock of this machine. */
  readonly retryAfterMs: number | undefined;
  /** The operation, of a failure that is stored with one. */
  readonly usage: Usage | undefined;
  readonly allowance: Allowance | undefined;
  /** Names the call in the logs of the service. */
  readonly requestId: string | undefined;
  /** Send it again to continue the same operation, at no further charge. */
  readonly requestKey: string | undefined;

  constructor(code: CesErrorCode, message: string, details: CesErrorDetails = {}) {
    super(hideKeys(message), { cause: harmlessCause(details.cause) });
    this.code = hideKeys(code);
    this.status = details.status ?? 0;
    this.retryAt = details.retryAt;
    this.retryAfterMs = details.retryAfterMs;
    this.usage = details.usage;
    this.allowance = details.allowance;
    this.requestId = details.requestId;
    this.requestKey = details.requestKey;
  }

  /** Whether `error` is a CesError, of this code if one is given. */
  static is<Code extends CesErrorCode = CesErrorCode>(
    error: unknown,
    code?: Code,
  ): error is CesError & { readonly code: Code } {
    return error instanceof CesError && (code === undefined || error.code === code);
  }
}
