import { failureOf } from '@ces/chassis/rpc/failure';
import { ConfigurationError } from '@ces/chassis/service/settings';
import { FailureCodeSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { enumName } from './output/plain.ts';

/** Why a command cannot do what was asked: one sentence that says what to do. Exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** What scripts branch on. */
  readonly code: string;
  /** Printed instead of a made-up body with --json. */
  readonly body: unknown;

  constructor(message: string, options: { code?: string; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'refused';
    this.body = options.body ?? { error: { code: this.code, message } };
  }
}

/** A command line that cannot be meant; exit code 2. */
export class UsageError extends Refusal {
  constructor(message: string) {
    super(message, { code: 'usage' });
  }
}

/** Any error of a command as a Refusal; bugs keep their message alone, since a stack trace helps no operator. */
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
  return new Refusal(`ces failed in a way it does not know (${message}): run it with CES_DEBUG=1 and report this.`, {
    code: 'internal_error',
    cause: error,
  });
}

/** The service that a call did not reach; undefined when it answered, with whatever. */
export function silentService(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return /^ces\.(\w+)\.v1\.\w+ is not reachable$/.exec(cause)?.[1];
}
