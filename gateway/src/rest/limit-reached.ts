import { InvalidInput } from '../output/public-error.ts';
import type { Peers } from '../peers.ts';
import { tellAllowance } from '../run-call.ts';
import type { Route } from './route.ts';

/** The route, with RateLimit headers on the answer that the allowance is reached. */
export function tellingAllowance(peers: Peers, route: Route): Route {
  return {
    ...route,
    async handle(call) {
      try {
        return await route.handle(call);
      } catch (error) {
        throw error instanceof InvalidInput ? error : await tellAllowance(peers, error, call);
      }
    },
  };
}
