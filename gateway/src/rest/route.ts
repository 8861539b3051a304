import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../admission/scope.ts';
import type { CalledAction } from '../outcome.ts';
import type { Answer } from '../output/answer.ts';
import type { ErrorCode } from '../schema/error.ts';
import type { OperationCall } from '../submit-operation.ts';

/** An admitted call; its input is not checked yet. */
export interface Call extends OperationCall {
  readonly url: string;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Strict JSON; undefined without a body. */
  readonly body: unknown;
  /** Throws rate_limited when the operation is polled too often. */
  takePoll(operationId: bigint): void;
  /** Throws rate_limited when the account reads too many pages of usages or statements. */
  takePage(): Promise<void>;
  /** Throws rate_limited when the account reads too many single observations. */
  takeObservation(): Promise<void>;
}

export interface Endpoint {
  readonly operationId: string;
  /** One name for all surfaces, also in metrics. */
  readonly action: CalledAction;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Search' | 'Look-up' | 'Usage' | 'Diagnostics';
  /** The scope a credential needs. Absent: any credential may call, and operations checks polls. */
  readonly scope?: Scope;
  readonly refusal: 'invalid_search' | 'invalid_request';
  readonly needsIdempotencyKey: boolean;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: { readonly schema: TSchema; readonly required: boolean };
  readonly result: { readonly schema: TSchema; readonly description: string };
  /** Whether the route may answer 202 with the Pending body. */
  readonly pending: boolean;
  /** Codes in addition to those of every route under /api. */
  readonly errors: readonly ErrorCode[];
  /** Set when the route answers with neither an operation of this call nor evidence. */
  readonly report?: 'allowance' | 'records';
  readonly successor?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly endpoint: Endpoint;
  handle(call: Call): Promise<Answer>;
}
