import type { Logger } from '@ces/chassis/log';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toPublicError } from '../output/failure.ts';
import { InvalidInput, PublicError } from '../output/public-error.ts';
import type { ErrorCode } from '../schema/error.ts';

/** Answers whatever was thrown while a request was handled with the Error body; logs what is our own fault, once. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const shown = publicErrorOf(error, request);
  if (shown.status >= 500)
    logger.error({ err: shown.cause ?? shown, request_id: request.id, code: shown.code }, 'call failed');
  reply.status(shown.status).headers(shown.headers).send(shown.body());
}

function publicErrorOf(error: unknown, request: FastifyRequest): PublicError {
  if (error instanceof InvalidInput)
    return new PublicError(request.routeOptions.config?.endpoint?.refusal ?? 'invalid_request', error.message);
  return fromFramework(error) ?? toPublicError(error);
}

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string, number?]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json in UTF-8.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.', 400],
  FST_ERR_BAD_URL: ['invalid_request', 'The address is not percent-encoded UTF-8.', 400],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'The address is too long.'],
};

/** Faults that Fastify or Node found before a handler ran. */
function fromFramework(error: unknown): PublicError | undefined {
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = FRAMEWORK_ERRORS[code ?? ''];
  if (known) return new PublicError(known[0], known[1], known[2] === undefined ? {} : { status: known[2] });
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  return new PublicError('invalid_request', 'The request cannot be read.', { status: 400 });
}
