import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { ConcurrencyLimiter } from './admission/concurrency-limiter.ts';
import { toPublicError } from './errors/failure.ts';
import { InvalidInput } from './errors/public-error.ts';
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

/** Runs the work of a call and returns its answer; throws TooManyCalls, InvalidInput or PublicError. */
export type RunCall = <A extends Answer>(call: AdmittedCall, work: () => Promise<A>) => Promise<A>;

/** What REST and MCP do alike around the work of a call: it waits for its slot, and a reached allowance names itself. */
export function createRunCall(limiter: ConcurrencyLimiter, { ledger }: Pick<Peers, 'ledger'>): RunCall {
  return async (call, work) => {
    const limited = { accountId: call.principal.accountId, isGone: call.isGone };
    return await limiter.run(limited, () => withAllowance(ledger, call, work));
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
