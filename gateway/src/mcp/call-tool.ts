import type { Logger } from '@ces/chassis/telemetry/log';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { TooManyCalls } from '../admission/delayed-rejection.ts';
import { toPublicError } from '../errors/failure.ts';
import { InvalidInput, PublicError } from '../errors/public-error.ts';
import { checkRequestKey } from '../input/request-key.ts';
import { type CountedCall, outcomeOfAnswer, outcomeOfError } from '../outcome.ts';
import { type Answer, type OperationBody, renderAnswer } from '../output/answer.ts';
import type { Headers } from '../output/headers.ts';
import type { RunCall } from '../run-call.ts';
import { QUOTES_ARE_DATA } from '../schema/facts.ts';
import { describe } from './text/describe.ts';
import { fitsTokens, MAX_TEXT_TOKENS } from './text/tokens.ts';
import type { Tool } from './tool.ts';

/** Protocol revision of the client: 2026-07-28 and later, or earlier. */
export type ProtocolEra = 'modern' | 'legacy';

export interface ToolCall {
  readonly era: ProtocolEra;
  readonly logger: Logger;
  readonly requestId: string;
  readonly traceparent: string;
  readonly runCall: RunCall;
  /** Throws the error with which the call was refused before its body was read. */
  principal(): Principal;
  readonly argumentsFault: InvalidInput | undefined;
  isGone(): boolean;
  count(facts: Partial<CountedCall>): void;
  /** Marks the call as rejected for load, so that its answer is delayed. */
  noteRejection(): void;
}

/** Tokens reserved for the text that follows the JSON. */
const NOTE_TOKENS = 100;
const LINES_IN_PLACE_OF_JSON = 'The JSON of this result is too long for a text; structuredContent has it whole.';

/** Refusals and failures are results with the Error body (gateway/docs/contract.md, MCP). */
export async function callTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<CallToolResult> {
  const { era, logger, requestId, traceparent } = call;
  call.count({ action: tool.action });
  const ownHeaders = { 'x-request-id': requestId, traceparent };
  const log = (outcome: string) =>
    logger.info({ request_id: requestId, tool: tool.definition.name, outcome }, 'tool call');
  try {
    const { kind, body, headers } = await submit(tool, input, call, ownHeaders);
    log('error' in body ? body.error.code : kind);
    return toolResult(era, body, { ...ownHeaders, ...headers });
  } catch (error) {
    const shown =
      error instanceof InvalidInput ? new PublicError('invalid_search', error.message) : toPublicError(error);
    if (shown instanceof TooManyCalls) call.noteRejection();
    else if (shown.status >= 500)
      logger.error({ err: shown.cause ?? shown, request_id: requestId }, 'tool call failed');
    log(shown.code);
    call.count({ outcome: outcomeOfError(shown) });
    return toolResult(era, shown.body(), { ...ownHeaders, ...shown.headers });
  }
}

/**
 * Checks in the order of REST: principal, JSON rules of the arguments, idempotency key, shape
 * (gateway/docs/contract.md, Order of checks).
 */
async function submit(
  tool: Tool,
  { request_key = '', ...input }: Readonly<Record<string, unknown>>,
  call: ToolCall,
  headers: Headers,
): Promise<Answer<OperationBody>> {
  const principal = call.principal();
  if (call.argumentsFault) throw call.argumentsFault;
  if (typeof request_key !== 'string') throw new InvalidInput('`request_key` must be string');
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
  const answer = await call.runCall(tool.action, submission, async (releaseSlot) =>
    renderAnswer(await tool.submit({ ...submission, releaseSlot })),
  );
  call.count({ mode, outcome: outcomeOfAnswer(answer, mode) });
  return answer;
}

/**
 * Renders a body as a tool result. `structuredContent` is the body of REST; `_meta` has the headers
 * of REST under the same names.
 *
 * Clients of revisions before 2026-07-28 also get the JSON as text, since some read nothing else. A
 * second text carries QUOTES_ARE_DATA, because the first must remain valid JSON. A client would cut
 * long JSON and so break it. In that case they get the text of later revisions, which names more
 * companies in as many tokens.
 */
function toolResult(era: ProtocolEra, body: OperationBody, meta: Headers): CallToolResult {
  return {
    content: textsOf(era, body).map((text) => ({ type: 'text', text })),
    structuredContent: { ...body },
    isError: 'error' in body,
    _meta: { ...meta },
  };
}

function textsOf(era: ProtocolEra, body: OperationBody): string[] {
  if (era === 'modern') return [describe(body)];
  const json = JSON.stringify(body);
  if (!fitsTokens(json, MAX_TEXT_TOKENS - NOTE_TOKENS)) return [describe(body), LINES_IN_PLACE_OF_JSON];
  return [json, ...('companies' in body ? [QUOTES_ARE_DATA] : [])];
}
