import {
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { TooManyCalls } from '../../admission/delayed-rejection.ts';
import { toPublicError } from '../../errors/failure.ts';
import { InvalidInput, type PublicError } from '../../errors/public-error.ts';
import { parseId } from '../../input/path-id.ts';
import { outcomeOfAnswer, outcomeOfError } from '../../outcome.ts';
import { renderAnswer } from '../../output/answer.ts';
import type { ToolCall } from '../call-tool.ts';
import { RPC_CODES } from '../protocol-fault.ts';
import { findTask, type Task } from './task.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';

const PARAMS = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string' } },
  required: ['taskId'],
});

export function takesTasks(server: Server, { era }: Pick<ToolCall, 'era'>): boolean {
  return era === 'modern' && server.getClientCapabilities()?.extensions?.[TASKS] !== undefined;
}

/** Tasks extension. Updates and cancellations change nothing: the work is accepted. */
export function serveTasks(server: Server, call: ToolCall): void {
  const read = async ({ taskId }: { taskId: string }): Promise<Task> => {
    if (!takesTasks(server, call))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
    return await readTask(taskId, call);
  };
  server.setRequestHandler('tasks/get', { params: PARAMS }, async (params) => ({ ...(await read(params)) }));
  for (const method of ['tasks/update', 'tasks/cancel'])
    server.setRequestHandler(method, { params: PARAMS }, async (params) => {
      await read(params);
      return {};
    });
}

/** Has the limits of GET /api/usages/{id}. Throws ProtocolError. */
async function readTask(taskId: string, call: ToolCall): Promise<Task> {
  const { requestId, traceparent } = call;
  const headers = { 'x-request-id': requestId, traceparent };
  call.count({ action: 'usage', mode: 'poll' });
  try {
    const admitted = { principal: call.principal(), rpc: { headers }, isGone: call.isGone };
    const operationId = parseId(taskId, 'taskId');
    const { task, ...answer } = await call.runCall('usage', admitted, async () => {
      call.takePoll(operationId);
      const operation = await call.getOperation(operationId, headers);
      return { ...renderAnswer(operation), task: findTask(operation, headers) };
    });
    call.count({ outcome: outcomeOfAnswer(answer, 'poll') });
    if (task) return task;
  } catch (error) {
    throw shownAs(error, call);
  }
  throw unknownTask();
}

function shownAs(error: unknown, call: ToolCall): unknown {
  if (error instanceof InvalidInput) return unknownTask();
  const shown = toPublicError(error);
  call.count({ outcome: outcomeOfError(shown) });
  if (shown instanceof TooManyCalls) call.noteRejection();
  if (shown.code === 'usage_not_found') return unknownTask();
  return shown.code === 'internal_error' ? (shown.cause ?? shown) : refusal(shown);
}

function unknownTask(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.');
}

/** `data` is the Error body of REST. */
function refusal(shown: PublicError): ProtocolError {
  return new ProtocolError(RPC_CODES.refused, shown.message, shown.body());
}
