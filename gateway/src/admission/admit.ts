import { networkOf } from '@ces/chassis/limits/network';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyRequest } from 'fastify';
import { PublicError } from '../errors/public-error.ts';
import { type Authenticate, bearerOf, invalidApiKey } from './authenticate.ts';
import type { CallLimits } from './call-limits.ts';
import { checkScope, type Scope } from './scope.ts';

export interface AdmitParts {
  readonly authenticate: Authenticate;
  readonly limits: CallLimits;
}

/** Counts as in flight until it is disposed. */
export interface Admission extends Disposable {
  readonly principal: Principal;
}

/**
 * Checks before the body is read (gateway/docs/contract.md, Order of checks). Throws PublicError.
 */
export async function admit(
  request: FastifyRequest,
  { authenticate, limits }: AdmitParts,
  scope: Scope | undefined,
): Promise<Admission> {
  const principal = await authenticated(request, { authenticate, limits });
  request.principal = principal;
  checkScope(principal, scope);
  checkSubscription(principal.subscriptionStatus);
  await limits.takeCall(principal.credentialId);
  return { principal, [Symbol.dispose]: await limits.enter(principal.accountId) };
}

/** A known good key is no try of its address. */
async function authenticated({ raw, ip }: FastifyRequest, { authenticate, limits }: AdmitParts): Promise<Principal> {
  const bearer = bearerOf(raw);
  if (bearer !== undefined && authenticate.knows(bearer)) return await authenticate(bearer);
  return await limits.countFailures(networkOf(ip), async () => {
    if (bearer === undefined) throw invalidApiKey();
    return await authenticate(bearer);
  });
}

function checkSubscription(status: string): void {
  if (status !== 'active' && status !== 'trialing')
    throw new PublicError('subscription_required', 'An active or trialing subscription is required.');
}
