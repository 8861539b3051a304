import type { Logger } from '@ces/chassis/telemetry/log';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Attributes } from '@opentelemetry/api';
import { TooManyCalls } from '../admission/delayed-rejection.ts';
import { toPublicError } from '../errors/failure.ts';
import { InvalidInput, PublicError } from '../errors/public-error.ts';
import { checkRequestKey } from '../input/request-key.ts';
import { type CountedCall, outcomeOfAnswer, outcomeOfError } from '../outcome.ts';
import { type Answer, type OperationBody, renderAnswer } from '../output/answer.ts';
import type { Headers } from '../output/headers.ts';
import type { RunCall } from '../run-call.ts';
import { TaskCreated } from './tasks/created-task.ts';
import { findTask } from './tasks/task.ts';
import type { Tool } from './tool.ts';
import { toolResult } from './tool-result.ts';

/** Since revision 2026-07-28, or earlier. */
export type ProtocolEra = 'modern' | 'legacy';

export interface ToolCall {
  readonly era: ProtocolEra;
  readonly logger: Logger;
  readonly requestId: string;
  readonly traceparent: string;
  readonly runCall: RunCall;
  principal(): Principal;
  readonly argumentsFault: InvalidInput | undefined;
  isGone(): boolean;
  count(facts: Partial<CountedCall>): void;
  /** Rejected for load, so that its answer is delayed. */
  noteRejection(): void;
  /** Marks that the tool's result is an error. */
  noteToolError(): void;
  /** Of the OpenTelemetry conventions. */
  readonly transport: Attributes;
  /** Throws rate_limited when the operation is polled too often. */
  takePoll(operationId: bigint): void;
  getOperation(operationId: bigint, headers: Headers): Promise<OperationAnswer>;
}

interface CallOptions {
  /** Unfinished work is answered with a task. */
  readonly takesTasks: boolean;
}

/** Refusals are results with the Error body (gateway/docs/contract.md, MCP). */
export async function callTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  call: ToolCall,
  { takesTasks }: CallOptions,
): Promise<CallToolResult | TaskCreated> {
  const { logger, requestId, traceparent } = call;
  call.count({ action: tool.action });
  const ownHeaders = { 'x-request-id': requestId, traceparent };
  const log = (outcome: string) =>
    logger.info({ request_id: requestId, tool: tool.definition.name, outcome }, 'tool call');
  try {
    const { kind, body, headers, operation } = await submit(tool, input, call, ownHeaders);
    log('error' in body ? body.error.code : kind);
    if ('error' in body) call.noteToolError();
    const meta = { ...ownHeaders, ...headers };
    const task = takesTasks && kind === 'pending' ? findTask(operation, ownHeaders) : undefined;
    return task ? new TaskCreated({ ...task, resultType: 'task', _meta: meta }) : toolResult(body, meta);
  } catch (error) {
    const shown =
      error instanceof InvalidInput ? new PublicError('invalid_search', error.message) : toPublicError(error);
    if (shown instanceof TooManyCalls) call.noteRejection();
    else if (shown.status >= 500)
      logger.error({ err: shown.cause ?? shown, request_id: requestId }, 'tool call failed');
    log(shown.code);
    call.noteToolError();
    call.count({ outcome: outcomeOfError(shown) });
    return toolResult(shown.body(), { ...ownHeaders, ...shown.headers });
  }
}

interface SubmittedAnswer extends Answer<OperationBody> {
  readonly operation: OperationAnswer;
}

/** Same order as REST: principal, JSON, key, shape (gateway/docs/contract.md, Order of checks). */
async function submit(
  tool: Tool,
  { request_key = '', ...input }: Readonly<Record<string, unknown>>,
  call: ToolCall,
  headers: Headers,
): Promise<SubmittedAnswer> {
  const principal = call.principal();
  if (call.argumentsFault) throw call.argumentsFault;
  if (typeof request_key !== 'string') throw new InvalidInput('`request_key` must be a string.');
  const requestKey = checkRequestKey(request_key, '`request_key`');
  let mode: CountedCall['mode'] = 'front';
  const submission = {
    principal,
    requestKey: () => requestKey,
    asksForBackground: () => {
      mode = 'background';
    },
    input,
    rpc: { headers },
    isGone: call.isGone,
  };
  const answer = await call.runCall(tool.action, submission, async (releaseSlot) => {
    const operation = await tool.submit({ ...submission, releaseSlot });
    return { ...renderAnswer(operation), operation };
  });
  call.count({ mode, outcome: outcomeOfAnswer(answer, mode) });
  return answer;
}
