import type { CallOutcome } from '@ces/chassis/telemetry/calls';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdmitParts, admit } from '../admission/admit.ts';
import { checkScope } from '../admission/scope.ts';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { checkMediaType, readBody } from '../http/body.ts';
import { type CountedCall, outcomeOfStatus } from '../outcome.ts';
import { requireValue } from '../output/values.ts';
import type { RunCall } from '../run-call.ts';
import { exchange } from './exchange.ts';
import { createHostCheck } from './hosts.ts';
import { type Message, readMessage } from './message.ts';
import { ProtocolFault, RPC_CODES } from './protocol-fault.ts';
import { createServer } from './server.ts';
import type { Tool } from './tool.ts';

export interface McpParts extends AdmitParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  readonly runCall: RunCall;
  /** For conformance tests, which need protocol features that this server lacks. */
  readonly createMcpServer?: typeof createServer | undefined;
}

/** Checks and limits of POST /mcp are those of REST, in the same order. */
export function registerMcp(app: FastifyInstance, parts: McpParts): void {
  const checkHost = createHostCheck(parts.config);
  app.register(async (mcp) => {
    mcp.setErrorHandler((error, _request, reply) => {
      if (error instanceof ProtocolFault) return reply.status(error.status).send(error.body());
      throw error;
    });
    mcp.post('/mcp', { config: { call: { surface: 'mcp', action: 'protocol' } } }, async (request, reply) => {
      checkHost(request.headers);
      const { response, body, isRejected } = await answerMessage(request, parts);
      if (isRejected) await parts.limits.delayRejection();
      if (request.counted?.outcome === undefined)
        request.counted = { outcome: outcomeOfMessage(response.status, body) };
      return send(reply, response, body);
    });
  });
}

interface MessageAnswer {
  readonly response: Response;
  readonly body: string;
  readonly isRejected: boolean;
}

/** One scope holds admission and work, so the call leaves the in-flight count at its end. */
async function answerMessage(request: FastifyRequest, parts: McpParts): Promise<MessageAnswer> {
  using admission = await admitOrRefuse(request, parts);
  checkMediaType(request);
  const message = readMessage(await readBody(request, parts.config));
  if (message.method === 'tools/call') admitTool(request, message, parts);
  else await admitStatic(request, admission.refusal, parts);
  let isRejected = false;
  const noteRejection = () => {
    isRejected = true;
  };
  const response = await answer(request, message, parts, { refusal: admission.refusal, noteRejection });
  return { response, body: await response.text(), isRejected };
}

type MaybeAdmission = Disposable & { readonly refusal?: PublicError };

/**
 * A bad key fails at once. Other refusals wait until the method is known, since a tool call reports
 * them in its result.
 */
async function admitOrRefuse(request: FastifyRequest, parts: AdmitParts): Promise<MaybeAdmission> {
  try {
    return await admit(request, parts, undefined);
  } catch (error) {
    if (error instanceof PublicError && !isOfTheKey(error, request))
      return { refusal: error, [Symbol.dispose]: () => undefined };
    throw error;
  }
}

function isOfTheKey(error: PublicError, { principal }: FastifyRequest): boolean {
  return error.status === 401 || (principal === undefined && error.code === 'rate_limited');
}

/**
 * Methods other than tools/call need no subscription, but limits apply. Their refusals are thrown,
 * because they have no result to carry them.
 */
async function admitStatic(
  { principal }: FastifyRequest,
  refusal: PublicError | undefined,
  { limits }: McpParts,
): Promise<void> {
  if (refusal === undefined) return;
  if (refusal.code !== 'subscription_required') throw refusal;
  await limits.takeCall(requireValue(principal, 'principal').credentialId);
}

/** Only the message names the tool. A credential without its scope is refused like a bad key. */
function admitTool({ principal }: FastifyRequest, { json }: Message, { tools }: McpParts): void {
  if (principal === undefined) return;
  const { params } = json as { params?: { name?: unknown } | null };
  const tool = tools.find(({ definition }) => definition.name === params?.name);
  checkScope(principal, tool?.scope);
}

function answer(
  request: FastifyRequest,
  { json, argumentsFault }: Message,
  parts: McpParts,
  { refusal, noteRejection }: { readonly refusal: PublicError | undefined; readonly noteRejection: () => void },
): Promise<Response> {
  const { tools, logger, runCall, createMcpServer = createServer } = parts;
  const call = {
    logger,
    runCall,
    requestId: request.id,
    traceparent: request.traceparent,
    argumentsFault,
    isGone: () => request.raw.socket.destroyed,
    count: (facts: Partial<CountedCall>) => {
      request.counted = { ...request.counted, ...facts };
    },
    noteRejection,
    principal() {
      if (refusal) throw refusal;
      return requireValue(request.principal, 'principal');
    },
  };
  return exchange({
    headers: request.headers,
    json,
    createServer: (era) => createMcpServer(tools, { ...call, era }),
    onerror: (error) => logger.debug({ err: error, request_id: request.id }, 'MCP message refused'),
  });
}

/** JSON-RPC errors often come with HTTP status 200. */
function outcomeOfMessage(status: number, body: string): CallOutcome {
  if (status >= 400 || !body.startsWith('{')) return outcomeOfStatus(status);
  const { error } = JSON.parse(body) as { readonly error?: { readonly code: number } };
  if (!error) return 'ok';
  return error.code === RPC_CODES.internalError ? 'ours' : 'client';
}

function send(reply: FastifyReply, response: Response, body: string): FastifyReply {
  reply.status(response.status);
  if (body === '') return reply.send();
  return reply.type(response.headers.get('content-type') ?? 'application/json').send(body);
}
