import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { toPublicError } from './output/failure.ts';
import { allowanceHeaders, type Headers } from './output/headers.ts';
import type { PublicError } from './output/public-error.ts';
import type { Peers } from './peers.ts';

/** Who was refused, and what goes with the RPC that asks what is left. */
interface Refused {
  readonly principal: Principal;
  readonly rpc: { readonly headers: Headers };
}

/**
 * What was thrown, as the client may read it; with the allowance as RateLimit headers when that is what was reached,
 * since then a client needs them most. REST and MCP say the same.
 */
export async function tellAllowance(
  peers: Pick<Peers, 'ledger'>,
  error: unknown,
  refused: Refused,
): Promise<PublicError> {
  const shown = toPublicError(error);
  if (shown.code !== 'request_limit_reached') return shown;
  const { subscriptionId } = refused.principal;
  const { allowance } = await peers.ledger
    .getAllowance({ subscriptionId }, refused.rpc)
    .catch(() => ({ allowance: undefined }));
  return allowance ? shown.withHeaders(allowanceHeaders(allowance)) : shown;
}
