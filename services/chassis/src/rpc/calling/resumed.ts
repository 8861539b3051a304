import { Code, type ConnectError, type ContextValues, createContextValues } from '@connectrpc/connect';
import { CallCredentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { failureOf } from '../failure.ts';
import { attemptsKey } from './wire.ts';

/** The header by which `@grpc/grpc-js` says how many attempts came before the one that is answered. */
const PREVIOUS_ATTEMPTS = 'grpc-previous-rpc-attempts';
/** The trailer by which a server delays another attempt, or forbids it by a negative number. */
const RETRY_PUSHBACK = 'grpc-retry-pushback-ms';

/**
 * Marks the error of a stream whose answers broke off with the number of attempts that were made, unless its server has refused
 * another. The library retries no call once an answer has begun, since it does not know what is still unanswered.
 */
export function markResumable(error: ConnectError, outcome: StatusObject, headers: Metadata | undefined): ConnectError {
  const pushback = Number(outcome.metadata.get(RETRY_PUSHBACK)[0] ?? 0);
  if (!headers || failureOf(error) || error.code !== Code.Unavailable || !(pushback >= 0)) return error;
  error.metadata.set(PREVIOUS_ATTEMPTS, String(Number(headers.get(PREVIOUS_ATTEMPTS)[0] ?? 0) + 1));
  return error;
}

/** How many attempts were made of a call whose answers broke off; undefined when it may not be resumed. */
export function attemptsOf(error: ConnectError): number | undefined {
  const attempts = error.metadata.get(PREVIOUS_ATTEMPTS);
  return attempts === null ? undefined : Number(attempts);
}

/** Context of a call that asks for what is unanswered after so many attempts. */
export function afterAttempts(attempts: number): ContextValues {
  return createContextValues().set(attemptsKey, attempts);
}

/**
 * Credentials that fail for as many attempts as were made before. The library takes each for a lost attempt: its own retry policy then
 * counts them, waits before the next one and sends that only while the budget of the channel lasts (promise R23).
 */
export function countingAttempts(credentials: CallCredentials, attempts: number): CallCredentials {
  if (attempts === 0) return credentials;
  let left = attempts;
  const lost = CallCredentials.createFromMetadataGenerator((_call, done) => {
    if (left === 0) return done(null, new Metadata());
    left -= 1;
    done({ name: 'lost', message: 'the answers broke off', code: status.UNAVAILABLE } as Error);
  });
  return lost.compose(credentials);
}
