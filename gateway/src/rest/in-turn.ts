import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.ts';
import type { HttpAnswer, Route } from './route.ts';

/** The route, whose calls wait for their account's turn. */
export function inTurn(gate: ConcurrencyLimiter, route: Route): Route {
  return {
    ...route,
    async handle(call) {
      const { principal, isGone } = call;
      const work = { accountId: principal.accountId, action: route.endpoint.operationId, isGone };
      return await gate.run(work, () => route.handle(call), isWhole);
    },
  };
}

function isWhole({ status, headers }: HttpAnswer): boolean {
  return status === 200 && headers?.['idempotent-replayed'] === undefined;
}
