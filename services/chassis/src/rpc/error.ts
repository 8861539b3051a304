import { Code, ConnectError } from '@connectrpc/connect';
import pg from 'pg';
import { FailureCode, fail, failureOf } from '../failure.ts';

/** Connection faults, shutdown, too many connections, a demoted primary, timeouts, deadlocks. */
const TRANSIENT_SQLSTATES = /^(08|57P|53)|^(25006|25P03|55P03|57014|40001|40P01)$/;

/** Transient errors become SERVICE_UNAVAILABLE, and bugs lose their text. */
export function toConnectError(error: unknown): ConnectError {
  if (isUnknownToPeer(error)) return unavailable(error);
  if (error instanceof ConnectError) return ofSentenceLength(error);
  if (isTransient(error)) {
    const refusal = unavailable(error);
    return isStatementTimeout(error) ? withCode(refusal, Code.DeadlineExceeded) : refusal;
  }
  return new ConnectError('internal error', Code.Internal, undefined, undefined, error);
}

function unavailable(cause: unknown): ConnectError {
  const message = 'A part of the service is not reachable now; try again with the same key.';
  return fail(FailureCode.SERVICE_UNAVAILABLE, message, { cause });
}

/** A peer that rejects our token counts as unavailable. */
function isUnknownToPeer(error: unknown): boolean {
  return failureOf(error)?.code === FailureCode.CALLER_UNAUTHENTICATED;
}

/** A code of its own: callers that count attempts must see it. */
function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

function withCode({ rawMessage, metadata, details, cause }: ConnectError, code: Code): ConnectError {
  const error = new ConnectError(rawMessage, code, metadata, undefined, cause);
  error.details = details;
  return error;
}

/** Longer messages delay others, and clients drop connections over huge headers. */
const LONGEST_MESSAGE = 2_000;

function ofSentenceLength(error: ConnectError): ConnectError {
  if (error.rawMessage.length <= LONGEST_MESSAGE) return error;
  const { code, metadata, cause } = error;
  const cut = new ConnectError(error.rawMessage.slice(0, LONGEST_MESSAGE), code, metadata, undefined, cause);
  cut.details = error.details;
  return cut;
}

/** Lost connections, unresolved names, timeouts, and peers that report it. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectError) return TRANSIENT_CODES.has(error.code) || isUnknownToPeer(error);
  if (error instanceof pg.DatabaseError) return TRANSIENT_SQLSTATES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI|NOTFOUND)/.test(code)) ||
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded)/.test(error.message)
  );
}

const TRANSIENT_CODES: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.Canceled,
  Code.DeadlineExceeded,
]);
