import type { Logger } from '@ces/chassis/telemetry/log';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { TooManyCalls } from '../admission/delayed-rejection.ts';
import { checkRequestKey } from '../input/request-key.ts';
import { renderAnswer } from '../output/answer.ts';
import { toPublicError } from '../output/failure.ts';
import { answerHeaders } from '../output/headers.ts';
import { InvalidInput, PublicError } from '../output/public-error.ts';
import { requireValue } from '../output/values.ts';
import type { Tool } from './tool.ts';
import { type Era, toolResult } from './tool-result.ts';

/** A call of a tool by someone whose credential is known. */
export interface ToolCall {
  readonly era: Era;
  readonly logger: Logger;
  readonly requestId: string;
  readonly traceparent: string;
  /** Who calls; throws what the call was refused with before it was read. */
  principal(): Principal;
  readonly argumentsFault: InvalidInput | undefined;
  /** Whether the client has hung up. */
  isGone(): boolean;
  /** Ends when a refusal for too many calls may be answered. */
  delayRejection(): Promise<void>;
}

/** Always a result: whatever is refused or fails is one with the Error body (decisions.md, MCP). */
export async function callTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<CallToolResult> {
  const { era, logger, requestId, traceparent } = call;
  const headers = { 'x-request-id': requestId, traceparent };
  const log = (outcome: string) =>
    logger.info({ request_id: requestId, tool: tool.definition.name, outcome }, 'tool call');
  try {
    const answer = await submit(tool, input, call, headers);
    const rendered = renderAnswer(answer);
    log('error' in rendered.body ? rendered.body.error.code : rendered.kind);
    return toolResult(era, rendered.body, { ...headers, ...answerHeaders(answer, rendered) });
  } catch (error) {
    const shown =
      error instanceof InvalidInput ? new PublicError('invalid_search', error.message) : toPublicError(error);
    if (shown instanceof TooManyCalls) await call.delayRejection();
    else if (shown.status >= 500)
      logger.error({ err: shown.cause ?? shown, request_id: requestId }, 'tool call failed');
    log(shown.code);
    return toolResult(era, shown.body(), { ...headers, ...shown.headers });
  }
}

/** In the order of REST: who, text, key, then shape (decisions.md, Order of checks). */
async function submit(
  tool: Tool,
  { request_key = '', ...input }: Readonly<Record<string, unknown>>,
  call: ToolCall,
  headers: Readonly<Record<string, string>>,
) {
  const principal = call.principal();
  if (call.argumentsFault) throw call.argumentsFault;
  if (typeof request_key !== 'string') throw new InvalidInput('`request_key` must be string');
  const requestKey = checkRequestKey(request_key, '`request_key`');
  const caller = { identity: { case: 'principal', value: principal } } as const;
  return requireValue(
    await tool.submit({ caller, requestKey, input, rpc: { headers }, isGone: call.isGone }),
    'answer',
  );
}
