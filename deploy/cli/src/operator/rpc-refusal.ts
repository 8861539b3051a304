import { failureOf } from '@ces/chassis/rpc/failure';
import { ConfigurationError } from '@ces/chassis/service/settings';
import { FailureCodeSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { enumName } from '../output/plain.ts';
import { Refusal } from '../refusal.ts';

/** Keeps only the message of a bug: a stack trace does not help operators. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ConfigurationError) return new Refusal(error.message, { code: 'configuration' });
  const failure = failureOf(error);
  const silent = silentService(error);
  if (silent)
    return new Refusal(
      `${silent} does not answer: start the stack with npm start, or check CES_${silent.toUpperCase()}_URL.`,
      { code: 'service_unavailable', cause: error },
    );
  if (failure) return new Refusal(failure.message, { code: enumName(FailureCodeSchema, failure.code), cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new Refusal(`Unexpected error (${message}): run ces with CES_DEBUG=1 and report the output.`, {
    code: 'internal_error',
    cause: error,
  });
}

export function silentService(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return /^ces\.(\w+)\.v1\.\w+ is not reachable$/.exec(cause)?.[1];
}
