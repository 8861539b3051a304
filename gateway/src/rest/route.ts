import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../admission/scope.ts';
import type { CalledAction } from '../outcome.ts';
import type { Answer } from '../output/answer.ts';
import type { ErrorCode } from '../schema/error.ts';
import type { OperationCall } from '../submit-operation.ts';

/** A call that has passed authentication and every limit; its input is not looked at yet. */
export interface Call extends OperationCall {
  /** Address as sent, with its query. */
  readonly url: string;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Strict JSON; undefined when there was no body. */
  readonly body: unknown;
  /** Throws rate_limited when this operation is polled too often. */
  takePoll(operationId: bigint): void;
  /** Throws rate_limited when the account reads too many pages of itself. */
  takePage(): Promise<void>;
  /** Throws rate_limited when the account reads too many single observations. */
  takeObservation(): Promise<void>;
}

/** What the OpenAPI document says of a route, and what the layers before its handler need to know. */
export interface Endpoint {
  readonly operationId: string;
  /** What it does, by one word for every way there is to ask for it; metrics have it. */
  readonly action: CalledAction;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Search' | 'Look-up' | 'Usage' | 'Diagnostics';
  /** What the credential must be allowed; absent: any may call, and operations says of a poll whether this one may. */
  readonly scope?: Scope;
  /** The code of input that is refused. */
  readonly refusal: 'invalid_search' | 'invalid_request';
  /** Whether it needs an Idempotency-Key. */
  readonly needsIdempotencyKey: boolean;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: { readonly schema: TSchema; readonly required: boolean };
  readonly result: { readonly schema: TSchema; readonly description: string };
  /** Whether 202 with the Pending body is an answer. */
  readonly pending: boolean;
  /** Codes beside those that every route under /api has. */
  readonly errors: readonly ErrorCode[];
  /** Present: answers neither with an operation of this call nor with evidence, but with the allowance or with a page of records. */
  readonly report?: 'allowance' | 'records';
  /** Present on a deprecated route: what to call instead. */
  readonly successor?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** With `:name` parameters. */
  readonly url: string;
  readonly endpoint: Endpoint;
  handle(call: Call): Promise<Answer>;
}
