import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Operation } from '../model/operation.ts';
import type { PaymentPath } from './action.ts';

// Exact queries of test credentials (gateway/docs/contract.md, Credentials).

const OUTCOMES = ['planning_unavailable', 'failed', 'slow', 'limit_reached'] as const;
type SandboxOutcome = (typeof OUTCOMES)[number];

const RETRY_AFTER_SECONDS = 60;

export function sandboxPaymentPath(
  { sandboxSlowMs }: { readonly sandboxSlowMs: number },
  testMode: boolean,
  query: string,
  worstCaseUnits: number,
): PaymentPath | undefined {
  switch (sandboxOutcome(testMode, query)) {
    case 'limit_reached':
      throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'The allowance is used up, as this test query asks for.', {
        retryAt: new Date(Math.ceil(Date.now() / 1000 + RETRY_AFTER_SECONDS) * 1000),
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'slow':
      return { kind: 'hold', worstCaseUnits, delayMs: sandboxSlowMs };
    case 'failed':
    case 'planning_unavailable':
      return { kind: 'hold', worstCaseUnits };
    case undefined:
      return undefined;
  }
}

export function failSandboxQuery({ testMode }: Operation, query: string): void {
  const sandbox = sandboxOutcome(testMode, query);
  if (sandbox === 'planning_unavailable')
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be prepared; submit it with a new request key.');
  if (sandbox === 'failed') throw fail(FailureCode.SEARCH_FAILED, 'The search failed.');
}

function sandboxOutcome(testMode: boolean, query: string): SandboxOutcome | undefined {
  if (!testMode) return undefined;
  return OUTCOMES.find((outcome) => query === `sandbox:${outcome}`);
}
