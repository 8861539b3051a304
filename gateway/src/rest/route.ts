import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { TObject, TSchema } from 'typebox';
import type { Headers } from '../output/headers.ts';
import type { ErrorCode } from '../schema/error.ts';

/** A call that has passed authentication and every limit; its input is not looked at yet. */
export interface Call {
  readonly principal: Principal;
  /** Address as sent, with its query. */
  readonly url: string;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Strict JSON; undefined when there was no body. */
  readonly body: unknown;
  /** The Idempotency-Key; throws when it is missing or none. */
  requestKey(): string;
  /** Throws rate_limited when this operation is polled too often. */
  takePoll(operationId: bigint): void;
  /** Whether the client has hung up. */
  isGone(): boolean;
  /** What goes with every RPC made for this call. */
  readonly rpc: { readonly headers: Headers };
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
}

/** What the OpenAPI document says of a route, and what the layers before its handler need to know. */
export interface Endpoint {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Search' | 'Look-up' | 'Usage' | 'Diagnostics';
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
  /** True: answers with the allowance alone, neither an operation nor evidence. */
  readonly report?: true;
  /** Present on a deprecated route: what to call instead. */
  readonly successor?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** With `:name` parameters. */
  readonly url: string;
  readonly endpoint: Endpoint;
  handle(call: Call): Promise<HttpAnswer>;
}
