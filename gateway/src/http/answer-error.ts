import type { Logger } from '@ces/chassis/telemetry/log';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { TooManyCalls } from '../admission/delayed-rejection.ts';
import { toPublicError } from '../errors/failure.ts';
import { InvalidInput, PublicError } from '../errors/public-error.ts';
import { outcomeOfError } from '../outcome.ts';
import { addressTooLong } from './bounds.ts';

export type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Once; rejections for load are not logged. */
export function createAnswerError(logger: Logger): AnswerError {
  return (error, request, reply) => {
    const shown = publicErrorOf(error, request);
    if (shown.status >= 500 && !(shown instanceof TooManyCalls))
      logger.error({ err: shown.cause ?? shown, request_id: request.id, code: shown.code }, 'call failed');
    request.counted = { ...request.counted, outcome: outcomeOfError(shown) };
    reply.status(shown.status).headers(shown.headers).send(shown.body());
  };
}

function publicErrorOf(error: unknown, request: FastifyRequest): PublicError {
  if (error instanceof InvalidInput)
    return new PublicError(request.routeOptions.config?.refusal ?? 'invalid_request', error.message);
  return fromFramework(error) ?? toPublicError(error);
}

function fromFramework(error: unknown): PublicError | undefined {
  const { code, statusCode } = error as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return addressTooLong();
    case 'FST_ERR_BAD_URL':
      return notHttp('The address is not percent-encoded UTF-8.');
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? notHttp('The request cannot be read.')
        : undefined;
  }
}

function notHttp(message: string): PublicError {
  return new PublicError('invalid_request', message, { status: 400 });
}
