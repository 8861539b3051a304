import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Config } from '../config.ts';
import { scriptedOutcome } from '../operation/sandbox.ts';
import type { Route } from '../submission/submission.ts';

const RETRY_AFTER_SECONDS = 60;

/** How a test query is admitted (decisions.md, Credentials); undefined for every other query. */
export function scriptedRoute(
  config: Pick<Config, 'sandboxSlowMs'>,
  principal: Principal,
  query: string,
  worstCaseUnits: number,
): Route | undefined {
  switch (scriptedOutcome(principal.testMode, query)) {
    case 'limit_reached':
      throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'The allowance is used up, as this test query asks for.', {
        retryAt: new Date(Math.ceil(Date.now() / 1000 + RETRY_AFTER_SECONDS) * 1000),
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'slow':
      return { kind: 'hold', worstCaseUnits, delayMs: config.sandboxSlowMs };
    case 'failed':
    case 'planning_unavailable':
      return { kind: 'hold', worstCaseUnits };
    case undefined:
      return undefined;
  }
}
