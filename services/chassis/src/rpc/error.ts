import { Code, ConnectError } from '@connectrpc/connect';
import pg from 'pg';
import { FailureCode, fail, failureOf } from '../failure.ts';

/**
 * Transient SQLSTATEs: connection faults, shutdown, too many connections, a demoted primary,
 * timeouts, deadlocks.
 */
const TRANSIENT_SQLSTATES = /^(08|57P|53)|^(25006|25P03|55P03|57014|40001|40P01)$/;

/**
 * Converts an error for the caller: refusals stay, transient errors become SERVICE_UNAVAILABLE, and
 * bugs lose their text.
 */
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

/** A peer that rejects this process's token counts as unavailable to our callers. */
function isUnknownToPeer(error: unknown): boolean {
  return failureOf(error)?.code === FailureCode.CALLER_UNAUTHENTICATED;
}

/**
 * The database works, but the statement needs too long. The code lets callers that count attempts
 * see this.
 */
function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

function withCode({ rawMessage, metadata, details, cause }: ConnectError, code: Code): ConnectError {
  const error = new ConnectError(rawMessage, code, metadata, undefined, cause);
  error.details = details;
  return error;
}

/** In characters. Longer messages delay others, and clients drop connections over huge headers. */
const LONGEST_MESSAGE = 2_000;

function ofSentenceLength(error: ConnectError): ConnectError {
  if (error.rawMessage.length <= LONGEST_MESSAGE) return error;
  const { code, metadata, cause } = error;
  const cut = new ConnectError(error.rawMessage.slice(0, LONGEST_MESSAGE), code, metadata, undefined, cause);
  cut.details = error.details;
  return cut;
}

/**
 * Whether a retry may succeed: lost connections, unresolved names (a server under replacement has
 * none), timeouts, and peers that report it.
 */
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
