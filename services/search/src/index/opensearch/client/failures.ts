import { FailureCode, failure } from '@ces/chassis/rpc/failure';
import { FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';

/** OpenSearch was reached and refused: a mistake of ours or of its configuration, which a repetition does not mend. */
export class OpenSearchRefusal extends Error {
  override readonly name = 'OpenSearchRefusal';
  /** Of HTTP. */
  readonly status: number;
  /** As the engine names it, such as `index_not_found_exception`; empty where it said nothing. */
  readonly type: string;

  constructor(request: string, { status, type, reason }: Answer) {
    super(`OpenSearch answered ${status} to ${request}: ${type}${reason && `, ${reason}`}`);
    this.status = status;
    this.type = type;
  }
}

/** Of a refusal as the engine words it. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

/** What an error of the client consists of, as far as it is looked at. */
interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly statusCode?: number;
  readonly body?: unknown;
}

const MESSAGE = 'A part of the service is not reachable now; try again with the same key.';
/** Errors of the client for which no answer came. */
const WITHOUT_ANSWER = /^(ConnectionError|TimeoutError|NoLivingConnectionsError|RequestAbortedError)$/;
/** Too many requests, and servers or shards that are away. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The same where it hides behind another status. */
const TRANSIENT_TYPES =
  /^(circuit_breaking|(opensearch_)?rejected_execution|cluster_block|unavailable_shards)_exception$/;
/** The engine ended what took longer than it was given. */
const CANCELLED = 'task_cancelled_exception';
/** Characters of a reason that are kept: it may quote a document. */
const LONGEST_REASON = 300;

/**
 * What a failed request is to the rest of the product: `unavailable` (`deadline_exceeded` where the engine ended it for the time
 * it took) or OpenSearchRefusal. Of the client's own error only words are kept: it holds the whole request, documents included.
 *
 * @param request method and path, for the log
 */
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

/** Whether the same request, or the same item of one, may succeed later. */
export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}

/** The engine has work enough, or shards are away, and says so: worth a pause. False where it was not reached at all. */
export function isBusy(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && error.cause instanceof OpenSearchRefusal;
}

/** The engine took a request and not all that was in it. */
export function busy(request: string, status: number): ConnectError {
  return outage(Code.Unavailable, new OpenSearchRefusal(request, { status, type: 'of a part', reason: '' }));
}

/** The engine cannot do its work now. */
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
