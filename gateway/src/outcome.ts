import type { CallOutcome, ExternalCall } from '@ces/chassis/telemetry/calls';
import { TooManyOfAccount } from './admission/delayed-rejection.ts';
import type { PublicError } from './errors/public-error.ts';
import type { Answer } from './output/answer.ts';

/** Operations, free reads and MCP protocol messages. */
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

export type CountedCall = ExternalCall & { readonly action: CalledAction };

const FREE_READS: ReadonlySet<CalledAction> = new Set(['observation', 'usage', 'usages', 'allowance', 'statement']);

export function isFreeRead(action: CalledAction): boolean {
  return FREE_READS.has(action);
}

const FAULTS: ReadonlySet<string> = new Set(['planning_unavailable', 'search_failed']);

export function outcomeOfError(error: PublicError): CallOutcome {
  if (error instanceof TooManyOfAccount) return 'limited';
  return FAULTS.has(error.code) ? 'ours' : outcomeOfStatus(error.status);
}

export function outcomeOfStatus(status: number): CallOutcome {
  if (status >= 500) return 'ours';
  if (status === 402 || status === 429) return 'limited';
  return status >= 400 ? 'client' : 'ok';
}

/** A replayed failure is ok: it counted when it occurred. */
export function outcomeOfAnswer({ kind, headers }: Answer, mode: ExternalCall['mode']): CallOutcome {
  if (kind === 'pending') return mode === 'front' ? 'late' : 'ok';
  const isReplay = mode === 'poll' || headers['idempotent-replayed'] !== undefined;
  return kind === 'failed' && !isReplay ? 'ours' : 'ok';
}
