import type { CallOutcome, OutsideCall } from '@ces/chassis/telemetry/calls';
import { TooManyOfAccount } from './admission/delayed-rejection.ts';
import type { PublicError } from './errors/public-error.ts';
import type { Answer } from './output/answer.ts';

/**
 * Actions of operations; reads that are none, of an observation, an operation, all operations of an account, the allowance or what was
 * settled of it; what MCP says of itself.
 */
export type CalledAction =
  | 'company_search'
  | 'observation_search'
  | 'company_lookup'
  | 'observation_lookup'
  | 'diagnostic'
  | 'observation'
  | 'usage'
  | 'usages'
  | 'allowance'
  | 'statement'
  | 'protocol';

/** A call of a subscriber, as it is counted. */
export type CountedCall = OutsideCall & { readonly action: CalledAction };

const FREE_READS: ReadonlySet<CalledAction> = new Set(['observation', 'usage', 'usages', 'allowance', 'statement']);

/** Whether an action only reads, at no price. */
export function isFreeRead(action: CalledAction): boolean {
  return FREE_READS.has(action);
}

/** Codes of failures that are ours although their status is one of refusals. */
const FAULTS: ReadonlySet<string> = new Set(['planning_unavailable', 'search_failed']);

/** Whose doing an error is. */
export function outcomeOfError(error: PublicError): CallOutcome {
  if (error instanceof TooManyOfAccount) return 'limited';
  return FAULTS.has(error.code) ? 'ours' : outcomeOfStatus(error.status);
}

/** The same of a bare status. */
export function outcomeOfStatus(status: number): CallOutcome {
  if (status >= 500) return 'ours';
  if (status === 402 || status === 429) return 'limited';
  return status >= 400 ? 'client' : 'ok';
}

/**
 * What an answer is worth to whoever waited for it. A failure that was stored before is replayed as it should be: it counted when it came
 * to pass.
 */
export function outcomeOfAnswer({ kind, headers }: Answer, mode: OutsideCall['mode']): CallOutcome {
  if (kind === 'pending') return mode === 'front' ? 'late' : 'ok';
  const isReplay = mode === 'poll' || headers['idempotent-replayed'] !== undefined;
  return kind === 'failed' && !isReplay ? 'ours' : 'ok';
}
