import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { ConcurrencyLimiter } from './admission/concurrency-limiter.ts';
import { toPublicError } from './errors/failure.ts';
import { InvalidInput } from './errors/public-error.ts';
import { type CalledAction, isFreeRead } from './outcome.ts';
import type { Answer } from './output/answer.ts';
import { type Headers, renderAllowanceHeaders } from './output/headers.ts';
import type { Peers } from './peers.ts';

/** All limits except concurrency are passed. */
export interface AdmittedCall {
  readonly principal: Principal;
  readonly rpc: { readonly headers: Headers };
  isGone(): boolean;
}

type Work<A> = (releaseSlot: () => void) => Promise<A>;

/** Runs the work of a call; throws TooManyCalls, InvalidInput or PublicError. */
export type RunCall = <A extends Answer>(action: CalledAction, call: AdmittedCall, work: Work<A>) => Promise<A>;

export interface Limiters {
  readonly calls: ConcurrencyLimiter;
  /** Free reads never wait for searches. */
  readonly reads: ConcurrencyLimiter;
}

export function createRunCall({ calls, reads }: Limiters, { ledger }: Pick<Peers, 'ledger'>): RunCall {
  return async (action, call, work) => {
    const limited = { accountId: call.principal.accountId, isGone: call.isGone };
    const limiter = isFreeRead(action) ? reads : calls;
    return await limiter.run(limited, (releaseSlot) => withAllowance(ledger, call, () => work(releaseSlot)));
  };
}

/**
 * Adds RateLimit headers when the allowance is exhausted. InvalidInput passes through: REST and MCP
 * have different codes for it.
 */
async function withAllowance<A>(ledger: Peers['ledger'], call: AdmittedCall, work: () => Promise<A>): Promise<A> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    const shown = toPublicError(error);
    if (shown.code !== 'request_limit_reached') throw shown;
    const { subscriptionId } = call.principal;
    const { allowance } = await ledger
      .getAllowance({ subscriptionId }, call.rpc)
      .catch(() => ({ allowance: undefined }));
    throw allowance ? shown.withHeaders(renderAllowanceHeaders(allowance)) : shown;
  }
}
