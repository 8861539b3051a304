import type { Attempt, CallerLimits, Rejection } from '@ces/chassis/limits/caller-limits';
import { networkOf } from '@ces/chassis/limits/network';
import { ANYONE, callerOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail, failureOf } from '@ces/chassis/rpc/failure';
import { addressOf } from '@ces/chassis/rpc/peer';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Caller } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface Admission {
  readonly ledger: Ledger;
  readonly callerLimits: CallerLimits;
}

const USABLE_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing']);

/** The gateway has already done so for the principals that it names. */
export type TakeExtraTokens = (limits: CallerLimits, principal: Principal) => Promise<Rejection | undefined>;

const takeNoExtraTokens: TakeExtraTokens = async () => undefined;

export const takePage: TakeExtraTokens = (limits, { accountId }) => limits.takePage(accountId);

/**
 * A principal needs the gateway and the ledger's signature; the gateway limits its calls. Bearer
 * tokens are limited here, against the same limits (interface, Order of checks).
 */
export async function runAsCaller<T>(
  deps: Admission & Pick<Dependencies, 'principals'>,
  caller: Caller | undefined,
  context: HandlerContext,
  checkScope: (principal: Principal) => void,
  work: (principal: Principal) => Promise<T>,
  takeExtraTokens: TakeExtraTokens = takeNoExtraTokens,
): Promise<T> {
  const identity = caller?.identity;
  switch (identity?.case) {
    case 'principal':
      if (callerOf(context) !== 'gateway')
        throw fail(FailureCode.CALLER_NOT_ALLOWED, 'Only the gateway names a principal: pass the bearer instead.');
      return await permitted(await deps.principals.verify(identity.value), checkScope, work);
    case 'bearer':
      return await limited(deps, await authenticate(deps, identity.value, context), checkScope, work, takeExtraTokens);
    default: {
      const shown = context.values.get(shownKey);
      if (!shown) throw fail(FailureCode.INVALID_API_KEY, 'No credential was passed: pass the bearer of an account.');
      return await limited(deps, shown, checkScope, work, takeExtraTokens);
    }
  }
}

async function permitted<T>(
  principal: Principal,
  checkScope: (principal: Principal) => void,
  work: (principal: Principal) => Promise<T>,
): Promise<T> {
  checkScope(principal);
  checkSubscription(principal);
  return await work(principal);
}

/** Authenticates before the body is read. Throws INVALID_API_KEY for an unknown token. */
export function createIdentify(deps: Admission): (bearer: string, context: HandlerContext) => Promise<void> {
  return async (bearer, context) => void context.values.set(shownKey, await authenticate(deps, bearer, context));
}

async function authenticate(
  { ledger, callerLimits }: Admission,
  bearer: string,
  context: HandlerContext,
): Promise<Principal> {
  const attempt = callerLimits.attempt(sourceOf(context));
  try {
    const principal = await ledger.authenticate(bearer);
    attempt.forgive();
    return principal;
  } catch (error) {
    throw await afterAttempt(attempt, error);
  }
}

/** Invalid keys count by network, as at the gateway; for a known program by program. */
function sourceOf(context: HandlerContext): string {
  const caller = callerOf(context);
  const address = caller === ANYONE ? addressOf(context) : undefined;
  return address === undefined ? `of ${caller}` : networkOf(address);
}

async function afterAttempt(attempt: Attempt, error: unknown): Promise<unknown> {
  if (failureOf(error)?.code !== FailureCode.INVALID_API_KEY) {
    attempt.forgive();
    return error;
  }
  const rejection = await attempt.fail();
  return rejection ? tooMany(rejection) : error;
}

async function limited<T>(
  { callerLimits }: Admission,
  principal: Principal,
  checkScope: (principal: Principal) => void,
  work: (principal: Principal) => Promise<T>,
  takeExtraTokens: TakeExtraTokens,
): Promise<T> {
  checkScope(principal);
  checkSubscription(principal);
  const rejection =
    (await callerLimits.takeCall(principal.credentialId)) ?? (await takeExtraTokens(callerLimits, principal));
  if (rejection) throw tooMany(rejection);
  const leave = await callerLimits.enter(principal.accountId);
  if (!leave)
    throw fail(
      FailureCode.SERVICE_UNAVAILABLE,
      'This account has too many calls in flight: wait for some to end, then repeat the call.',
    );
  try {
    return await work(principal);
  } finally {
    leave();
  }
}

function checkSubscription({ subscriptionStatus }: Principal): void {
  if (!USABLE_STATUSES.has(subscriptionStatus))
    throw fail(
      FailureCode.SUBSCRIPTION_REQUIRED,
      'This needs an active or trialing subscription: renew it, then repeat the call.',
    );
}

function tooMany({ message, waitMs }: Rejection): Error {
  return fail(FailureCode.RATE_LIMITED, message, { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}

const shownKey = createContextKey<Principal | undefined>(undefined, { description: 'whose bearer the headers show' });
