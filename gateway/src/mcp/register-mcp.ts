import type { CallOutcome } from '@ces/chassis/telemetry/calls';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdmitParts, admit, delayRejection } from '../admission/admit.ts';
import { checkScope } from '../admission/scope.ts';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { checkMediaType } from '../http/body.ts';
import { type CountedCall, outcomeOfStatus } from '../outcome.ts';
import { requireValue } from '../output/values.ts';
import type { RunCall } from '../run-call.ts';
import { exchange } from './exchange.ts';
import { createHostCheck } from './hosts.ts';
import { type Message, readMessage } from './message.ts';
import { ProtocolFault, RPC_CODES } from './protocol-fault.ts';
import { createServer } from './server.ts';
import type { Tool } from './tool.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What an MCP call was refused with before its body was read; the tool's result will say so. */
    refusal: PublicError | undefined;
  }
}

export interface McpParts extends AdmitParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  readonly runCall: RunCall;
  /** Another server than the product's, to test the protocol's own code on what this one has no use for. */
  readonly createMcpServer?: typeof createServer | undefined;
}

/** POST /mcp: the tools over streamable HTTP, with the checks and limits of REST in the order of REST. */
export function registerMcp(app: FastifyInstance, parts: McpParts): void {
  const checkHost = createHostCheck(parts.config);
  app.register(async (mcp) => {
    acceptBytes(mcp);
    mcp.decorateRequest('refusal', undefined);
    mcp.setErrorHandler((error, _request, reply) => {
      if (error instanceof ProtocolFault) return reply.status(error.status).send(error.body());
      throw error;
    });
    mcp.addHook('onRequest', async (request) => {
      checkHost(request.headers);
      request.refusal = await refusalOf(request, admit(request, parts, undefined));
      checkMediaType(request);
    });
    mcp.post('/mcp', { config: { call: { surface: 'mcp', action: 'protocol' } } }, async (request, reply) => {
      const message = readMessage((request.body as Buffer | undefined) ?? Buffer.alloc(0));
      if (message.method === 'tools/call') admitTool(request, message, parts);
      else await admitStatic(request, parts);
      const response = await answer(request, message, parts);
      const body = await response.text();
      if (request.counted?.outcome === undefined)
        request.counted = { outcome: outcomeOfMessage(response.status, body) };
      return send(reply, response, body);
    });
  });
}

function acceptBytes(mcp: FastifyInstance): void {
  mcp.removeAllContentTypeParsers();
  mcp.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);
}

/** Without a credential there is no call; every other refusal waits until it is known what is refused. */
async function refusalOf(request: FastifyRequest, admission: Promise<void>): Promise<PublicError | undefined> {
  try {
    await admission;
    return undefined;
  } catch (error) {
    if (error instanceof PublicError && !isOfTheKey(error, request)) return error;
    throw error;
  }
}

/** Whether it is a bad key that was refused, or one try too many. */
function isOfTheKey(error: PublicError, { principal }: FastifyRequest): boolean {
  return error.status === 401 || (principal === undefined && error.code === 'rate_limited');
}

/** What asks for no work needs no subscription; limits hold for it too, and it has no result that could say so. */
async function admitStatic({ refusal, principal }: FastifyRequest, { limits }: McpParts): Promise<void> {
  if (refusal === undefined) return;
  if (refusal.code !== 'subscription_required') throw refusal;
  await limits.takeCall(requireValue(principal, 'principal').credentialId);
}

/** Which tool is called is known from the message alone; a credential that may not call it is refused as one that is none. */
function admitTool({ principal }: FastifyRequest, { json }: Message, { tools }: McpParts): void {
  if (principal === undefined) return;
  const { params } = json as { params?: { name?: unknown } | null };
  const tool = tools.find(({ definition }) => definition.name === params?.name);
  checkScope(principal, tool?.scope);
}

function answer(request: FastifyRequest, { json, argumentsFault }: Message, parts: McpParts): Promise<Response> {
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
    delayRejection: () => delayRejection(request, parts.limits),
    principal() {
      if (request.refusal) throw request.refusal;
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

/** What is no tool's result is an error of JSON-RPC, which HTTP calls well as often as not. */
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
