import { FailureCode, failure } from '@ces/chassis/rpc/failure';
import { FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';

/** OpenSearch refused a request: the request or the configuration is wrong. */
export class OpenSearchRefusal extends Error {
  override readonly name = 'OpenSearchRefusal';
  readonly status: number;
  readonly type: string;

  constructor(request: string, { status, type, reason }: Answer) {
    super(`OpenSearch answered ${status} to ${request}: ${type}${reason && `, ${reason}`}`);
    this.status = status;
    this.type = type;
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly statusCode?: number;
  readonly body?: unknown;
}

const MESSAGE = 'A part of the service is not reachable now; try again with the same key.';
const WITHOUT_ANSWER = /^(ConnectionError|TimeoutError|NoLivingConnectionsError|RequestAbortedError)$/;
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** These transient errors come with another status. */
const TRANSIENT_TYPES =
  /^(circuit_breaking|(opensearch_)?rejected_execution|cluster_block|unavailable_shards)_exception$/;
const CANCELLED = 'task_cancelled_exception';
/** Truncated, because a reason may quote a document. */
const LONGEST_REASON = 300;

/** Keeps only the text: the client's error holds the whole request, documents included. */
export function failureOfRequest(error: unknown, request: string): Error {
  const { name, message, statusCode: status, body } = error as ClientError;
  if (WITHOUT_ANSWER.test(name)) return outage(Code.Unavailable, new Error(`${request}: ${message}`));
  if (status === undefined) return error as Error;
  const answer = { status, ...errorOf(body) };
  const refusal = new OpenSearchRefusal(request, answer);
  if (typesOf(body).includes(CANCELLED)) return outage(Code.DeadlineExceeded, refusal);
  const isTransient = isTransientStatus(status) || typesOf(body).some((type) => TRANSIENT_TYPES.test(type));
  return isTransient ? outage(Code.Unavailable, refusal) : refusal;
}

export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}

/** OpenSearch is busy or shards are unavailable, so a pause helps. False if it was unreachable. */
export function isBusy(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && error.cause instanceof OpenSearchRefusal;
}

export function busy(request: string, status: number): ConnectError {
  return outage(Code.Unavailable, new OpenSearchRefusal(request, { status, type: 'of a part', reason: '' }));
}

export function unavailable(sentence: string): ConnectError {
  return outage(Code.Unavailable, new Error(sentence));
}

function outage(code: Code, cause: Error): ConnectError {
  const value = failure(FailureCode.SERVICE_UNAVAILABLE, MESSAGE);
  return new ConnectError(MESSAGE, code, undefined, [{ desc: FailureSchema, value }], cause);
}

interface ErrorBody {
  readonly type?: unknown;
  readonly reason?: unknown;
  readonly root_cause?: readonly ErrorBody[];
}

function errorOf(body: unknown): Omit<Answer, 'status'> {
  const error = (body as { readonly error?: ErrorBody | string } | undefined)?.error;
  if (typeof error !== 'object') return { type: '', reason: String(error ?? '').slice(0, LONGEST_REASON) };
  const { type, reason } = error.root_cause?.[0] ?? error;
  return { type: String(type ?? ''), reason: String(reason ?? '').slice(0, LONGEST_REASON) };
}

function typesOf(body: unknown): string[] {
  const error = (body as { readonly error?: ErrorBody | string } | undefined)?.error;
  if (typeof error !== 'object' || error === null) return [];
  return [error, ...(error.root_cause ?? [])].map(({ type }) => String(type ?? ''));
}
