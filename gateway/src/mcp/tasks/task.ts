import { dateOf } from '@ces/chassis/instant';
import { Action, type OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { renderAnswer } from '../../output/answer.ts';
import type { Headers } from '../../output/headers.ts';
import { requireValue } from '../../output/values.ts';
import { toolResult } from '../tool-result.ts';

/** Extension `io.modelcontextprotocol/tasks`, revision 2026-07-28. The id is the operation's. */
export interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'completed';
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The answer that the tool call would have had, refusals included. */
  readonly result?: CallToolResult;
}

const DAY_MS = 86_400_000;
/** Fits 32 bits. Results are kept longer (gateway/docs/contract.md, Time). */
const TTL_MS = 24 * DAY_MS;
const POLL_INTERVAL_MS = 2_000;
const WORKING = 'The search goes on. Polls are free.';
const OF_TOOLS: ReadonlySet<Action> = new Set([Action.COMPANY_SEARCH, Action.COMPANY_LOOKUP]);

/** Undefined if no tool starts the operation. `headers` go into `_meta`. */
export function findTask(operation: OperationAnswer, headers: Headers): Task | undefined {
  if (!OF_TOOLS.has(operation.action)) return undefined;
  const { kind, body, headers: ofOperation } = renderAnswer(operation);
  const { createdAt, finishedAt } = operation;
  const created = dateOf(requireValue(createdAt, 'created_at')).toISOString();
  const task = {
    taskId: String(requireValue(operation.usage, 'usage').id),
    createdAt: created,
    lastUpdatedAt: finishedAt ? dateOf(finishedAt).toISOString() : created,
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
  if (kind === 'pending') return { ...task, status: 'working', statusMessage: WORKING };
  const result = toolResult(body, { ...headers, ...ofOperation });
  return { ...task, status: 'completed', result: { resultType: 'complete', ...result } };
}
