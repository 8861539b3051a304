import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../admission/scope.ts';
import { type CalledAction, isFreeRead } from '../outcome.ts';
import type { Answer } from '../output/answer.ts';
import type { ErrorCode } from '../schema/error.ts';
import type { OperationCall } from '../submit-operation.ts';

/** Its input is not checked yet. */
export interface Call extends OperationCall {
  readonly url: string;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Throws rate_limited when the operation is polled too often. */
  takePoll(operationId: bigint): void;
  /** Throws rate_limited. */
  takePage(): Promise<void>;
  /** Throws rate_limited. */
  takeObservation(): Promise<void>;
}

export interface Endpoint {
  readonly operationId: string;
  /** One name for all surfaces, also in metrics. */
  readonly action: CalledAction;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Search' | 'Look-up' | 'Usage' | 'Diagnostics';
  /** Absent: any credential; operations checks polls. */
  readonly scope?: Scope;
  /** Replaces `invalid_search`, the error of invalid input where a key is needed. */
  readonly refusal?: 'invalid_request';
  readonly notFound?: ErrorCode;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: { readonly schema: TSchema; readonly required: boolean };
  readonly result: { readonly schema: TSchema; readonly description: string };
  readonly successor?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly endpoint: Endpoint;
  handle(call: Call): Promise<Answer>;
}

/** Calls but free reads are operations. */
export function needsKey({ action }: Pick<Endpoint, 'action'>): boolean {
  return !isFreeRead(action);
}

export function answersOperation({ action }: Pick<Endpoint, 'action'>): boolean {
  return !isFreeRead(action) || action === 'usage';
}

export function refusalOf(endpoint: Endpoint): 'invalid_search' | 'invalid_request' {
  return endpoint.refusal ?? (needsKey(endpoint) ? 'invalid_search' : 'invalid_request');
}
