import { callerOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Caller } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Ledger } from '../ledger/ledger.ts';

const USABLE_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing']);

/** Who calls, with a subscription that may be used. A principal is believed from the gateway alone. */
export async function principalOf(
  ledger: Ledger,
  caller: Caller | undefined,
  context: HandlerContext,
): Promise<Principal> {
  const principal = await identify(ledger, caller?.identity, context);
  if (!USABLE_STATUSES.has(principal.subscriptionStatus))
    throw fail(
      FailureCode.SUBSCRIPTION_REQUIRED,
      'This needs an active or trialing subscription: renew it, then repeat the call.',
    );
  return principal;
}

async function identify(
  ledger: Ledger,
  identity: Caller['identity'] | undefined,
  context: HandlerContext,
): Promise<Principal> {
  switch (identity?.case) {
    case 'principal':
      if (callerOf(context) === 'gateway') return identity.value;
      throw fail(FailureCode.CALLER_NOT_ALLOWED, 'Only the gateway names a principal: pass the bearer instead.');
    case 'bearer':
      return await ledger.authenticate(identity.value);
    default:
      throw fail(FailureCode.INVALID_API_KEY, 'No credential was passed: pass the bearer of an account.');
  }
}
