import { toPublicError } from '../output/failure.ts';
import { allowanceHeaders } from '../output/headers.ts';
import type { Peers } from '../peers.ts';
import type { Route } from './route.ts';

/** The route, with RateLimit headers on the answer that the allowance is reached: that is when a client needs them. */
export function tellingAllowance({ ledger }: Peers, route: Route): Route {
  return {
    ...route,
    async handle(call) {
      try {
        return await route.handle(call);
      } catch (error) {
        const shown = toPublicError(error);
        if (shown.code !== 'request_limit_reached') throw error;
        const { subscriptionId } = call.principal;
        const { allowance } = await ledger
          .getAllowance({ subscriptionId }, call.rpc)
          .catch(() => ({ allowance: undefined }));
        throw allowance ? shown.withHeaders(allowanceHeaders(allowance)) : shown;
      }
    },
  };
}
