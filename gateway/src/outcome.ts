import type { CallOutcome, ExternalCall } from '@ces/chassis/telemetry/calls';
import type { ActionName } from '@ces/proto/operations';
import { TooManyOfAccount } from './admission/delayed-rejection.ts';
import type { PublicError } from './errors/public-error.ts';
import type { Answer } from './output/answer.ts';

/** Operations, free reads and MCP protocol messages. */
export type CalledAction = ActionName | FreeRead | 'protocol';

const FREE_READS = ['observation', 'usage', 'usages', 'allowance', 'statement'] as const;
type FreeRead = (typeof FREE_READS)[number];

export type CountedCall = ExternalCall & { readonly action: CalledAction };

export function isFreeRead(action: CalledAction): boolean {
  return (FREE_READS as readonly CalledAction[]).includes(action);
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
