import { Code, type ConnectError, type ContextValues, createContextValues } from '@connectrpc/connect';
import { CallCredentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { failureOf } from '../../failure.ts';
import { attemptsKey } from './wire.ts';

/** grpc-js reports earlier attempts in this header (gRFC A6). */
const PREVIOUS_ATTEMPTS = 'grpc-previous-rpc-attempts';
/** Delays a retry, or forbids it with a negative number (gRFC A6). */
const RETRY_PUSHBACK = 'grpc-retry-pushback-ms';

/** grpc-js never retries after the first answer, since it cannot know what is unanswered. */
export function markResumable(error: ConnectError, outcome: StatusObject, headers: Metadata | undefined): ConnectError {
  const pushback = Number(outcome.metadata.get(RETRY_PUSHBACK)[0] ?? 0);
  if (!headers || failureOf(error) || error.code !== Code.Unavailable || !(pushback >= 0)) return error;
  error.metadata.set(PREVIOUS_ATTEMPTS, String(Number(headers.get(PREVIOUS_ATTEMPTS)[0] ?? 0) + 1));
  return error;
}

export function priorAttemptsOf(error: ConnectError): number | undefined {
  const attempts = error.metadata.get(PREVIOUS_ATTEMPTS);
  return attempts === null ? undefined : Number(attempts);
}

export function withPriorAttempts(attempts: number): ContextValues {
  return createContextValues().set(attemptsKey, attempts);
}

/**
 * They fail once per earlier attempt: grpc-js then applies its backoff and retry budget (promise
 * R23).
 */
export function countPriorAttempts(credentials: CallCredentials, attempts: number): CallCredentials {
  if (attempts === 0) return credentials;
  let left = attempts;
  const lost = CallCredentials.createFromMetadataGenerator((_call, done) => {
    if (left === 0) return done(null, new Metadata());
    left -= 1;
    done({ name: 'lost', message: 'the answers broke off', code: status.UNAVAILABLE } as Error);
  });
  return lost.compose(credentials);
}
