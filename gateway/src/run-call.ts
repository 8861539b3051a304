import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { ConcurrencyLimiter } from './admission/concurrency-limiter.ts';
import { toPublicError } from './errors/failure.ts';
import { InvalidInput } from './errors/public-error.ts';
import { type CalledAction, isFreeRead } from './outcome.ts';
import type { Answer } from './output/answer.ts';
import { type Headers, renderAllowanceHeaders } from './output/headers.ts';
import type { Peers } from './peers.ts';

/** A call that has passed authentication and every limit but the last, by whichever surface it came. */
export interface AdmittedCall {
  readonly principal: Principal;
  /** What goes with every RPC made for this call. */
  readonly rpc: { readonly headers: Headers };
  /** Whether the client has hung up. */
  isGone(): boolean;
}

/** What is done for a call; it calls `releaseSlot` when from then on the call only waits. */
type Work<A> = (releaseSlot: () => void) => Promise<A>;

/** Runs the work of a call of an action and returns its answer; throws TooManyCalls, InvalidInput or PublicError. */
export type RunCall = <A extends Answer>(action: CalledAction, call: AdmittedCall, work: Work<A>) => Promise<A>;

export interface Limiters {
  readonly work: ConcurrencyLimiter;
  /** Of free reads, which wait for one another alone: never for searches. */
  readonly reads: ConcurrencyLimiter;
}

/** What REST and MCP do alike around the work of a call: it waits for its slot, and a reached allowance names itself. */
export function createRunCall({ work: worked, reads }: Limiters, { ledger }: Pick<Peers, 'ledger'>): RunCall {
  return async (action, call, work) => {
    const limited = { accountId: call.principal.accountId, isGone: call.isGone };
    const limiter = isFreeRead(action) ? reads : worked;
    return await limiter.run(limited, (releaseSlot) => withAllowance(ledger, call, () => work(releaseSlot)));
  };
}

/**
 * Makes what is thrown a PublicError; with the allowance as RateLimit headers when that is what was reached, since then
 * a client needs them most. Input that is refused stays InvalidInput: the surface says which code that is.
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
