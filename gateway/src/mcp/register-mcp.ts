import type { CallOutcome } from '@ces/chassis/telemetry/calls';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Attributes } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdmitParts, admit } from '../admission/admit.ts';
import { checkScope } from '../admission/scope.ts';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { checkMediaType, readBody } from '../http/body.ts';
import { type CountedCall, outcomeOfStatus } from '../outcome.ts';
import type { Headers } from '../output/headers.ts';
import { requireValue } from '../output/values.ts';
import type { Peers } from '../peers.ts';
import type { RunCall } from '../run-call.ts';
import { callerOf } from '../submit-operation.ts';
import { exchange } from './exchange.ts';
import { createHostCheck } from './hosts.ts';
import { createMcpMeter } from './mcp-meter.ts';
import { type Message, readMessage } from './message.ts';
import { ProtocolFault, RPC_CODES } from './protocol-fault.ts';
import { createServer, REVISIONS } from './server.ts';
import type { Tool } from './tool.ts';

export interface McpParts extends AdmitParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  readonly runCall: RunCall;
  readonly operations: Pick<Peers['operations'], 'getOperation'>;
  /** Conformance tests need features that this server lacks. */
  readonly createMcpServer?: typeof createServer | undefined;
}

/** Checks and limits are those of REST, in the same order. */
export function registerMcp(app: FastifyInstance, parts: McpParts): void {
  const checkHost = createHostCheck(parts.config);
  const measure = createMcpMeter();
  app.register(async (mcp) => {
    mcp.setErrorHandler((error, _request, reply) => {
      if (error instanceof ProtocolFault) return reply.status(error.status).send(error.body());
      throw error;
    });
    mcp.post('/mcp', { config: { call: { surface: 'mcp', action: 'protocol' } } }, async (request, reply) => {
      checkHost(request.headers);
      const { message, response, body, notes } = await answerMessage(request, parts);
      const errorCode = errorCodeOf(body);
      if (notes.isRejected) await parts.limits.delayRejection();
      if (request.counted?.outcome === undefined)
        request.counted = { outcome: outcomeOfMessage(response.status, errorCode) };
      const { isToolError } = notes;
      const operation = { method: message.method, tool: toolOf(message, parts)?.definition.name };
      const transport = transportOf(request);
      measure({ ...operation, errorCode, isToolError, transport }, reply.elapsedTime / 1_000);
      return send(reply, response, body);
    });
  });
}

interface MessageAnswer {
  readonly message: Message;
  readonly response: Response;
  readonly body: string;
  readonly notes: Readonly<Notes>;
}

interface Notes {
  isRejected: boolean;
  isToolError: boolean;
}

/** One scope, so the call leaves the in-flight count at its end. */
async function answerMessage(request: FastifyRequest, parts: McpParts): Promise<MessageAnswer> {
  using admission = await admitOrRefuse(request, parts);
  checkMediaType(request);
  const message = readMessage(await readBody(request));
  if (message.method === 'tools/call') admitTool(request, message, parts);
  else await admitOther(request, message, admission.refusal, parts);
  const notes = { isRejected: false, isToolError: false };
  const response = await answer(request, message, parts, { refusal: admission.refusal, notes });
  return { message, response, body: await response.text(), notes };
}

type MaybeAdmission = Disposable & { readonly refusal?: PublicError };

/** A bad key fails at once. A tool call reports other refusals in its result. */
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

/** Thrown, because no result can carry them. Only tasks need a subscription, as polls do. */
async function admitOther(
  { principal }: FastifyRequest,
  { method }: Message,
  refusal: PublicError | undefined,
  { limits }: McpParts,
): Promise<void> {
  if (refusal === undefined) return;
  if (refusal.code !== 'subscription_required' || String(method).startsWith('tasks/')) throw refusal;
  await limits.takeCall(requireValue(principal, 'principal').credentialId);
}

/** Only the message names the tool. A missing scope is refused like a bad key. */
function admitTool({ principal }: FastifyRequest, message: Message, parts: McpParts): void {
  if (principal !== undefined) checkScope(principal, toolOf(message, parts)?.scope);
}

function toolOf({ method, json }: Message, { tools }: McpParts): Tool | undefined {
  if (method !== 'tools/call') return undefined;
  const { params } = json as { params?: { name?: unknown } | null };
  return tools.find(({ definition }) => definition.name === params?.name);
}

/** OpenTelemetry has no name for an unknown revision. */
function transportOf({ headers, raw }: FastifyRequest): Attributes {
  const revision = REVISIONS.find((served) => served === headers['mcp-protocol-version']);
  return {
    ...(revision && { 'mcp.protocol.version': revision }),
    'network.protocol.name': 'http',
    'network.protocol.version': raw.httpVersion,
    'network.transport': 'tcp',
  };
}

function answer(
  request: FastifyRequest,
  { json, argumentsFault }: Message,
  parts: McpParts,
  { refusal, notes }: { readonly refusal: PublicError | undefined; readonly notes: Notes },
): Promise<Response> {
  const { tools, logger, runCall, limits, operations, createMcpServer = createServer } = parts;
  const principal = () => {
    if (refusal) throw refusal;
    return requireValue(request.principal, 'principal');
  };
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
    noteRejection: () => {
      notes.isRejected = true;
    },
    noteToolError: () => {
      notes.isToolError = true;
    },
    transport: transportOf(request),
    principal,
    takePoll: (operationId: bigint) => limits.takePoll(principal().accountId, operationId),
    getOperation: async (operationId: bigint, headers: Headers) => {
      const caller = callerOf({ principal: principal() });
      return requireValue((await operations.getOperation({ caller, operationId }, { headers })).answer, 'answer');
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
function outcomeOfMessage(status: number, errorCode: number | undefined): CallOutcome {
  if (status >= 400 || errorCode === undefined) return outcomeOfStatus(status);
  return errorCode === RPC_CODES.internalError ? 'ours' : 'client';
}

/** Longer than a JSON-RPC error, shorter than many results. */
const MAX_ERROR_LENGTH = 20_000;

function errorCodeOf(body: string): number | undefined {
  if (!body.startsWith('{') || body.length > MAX_ERROR_LENGTH) return undefined;
  return (JSON.parse(body) as { readonly error?: { readonly code: number } }).error?.code;
}

function send(reply: FastifyReply, response: Response, body: string): FastifyReply {
  reply.status(response.status);
  if (body === '') return reply.send();
  return reply.type(response.headers.get('content-type') ?? 'application/json').send(body);
}
