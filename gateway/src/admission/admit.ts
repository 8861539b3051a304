import type { FastifyRequest } from 'fastify';
import { PublicError } from '../errors/public-error.ts';
import { type Authenticate, bearerOf } from './authenticate.ts';
import type { CallLimits } from './call-limits.ts';

export interface AdmitParts {
  readonly authenticate: Authenticate;
  readonly limits: CallLimits;
}

/**
 * What every call passes before its body is read: credential, subscription, limits (gateway/docs/contract.md, Order of
 * checks).
 */
export async function admit(request: FastifyRequest, { authenticate, limits }: AdmitParts): Promise<void> {
  const principal = await authenticate(bearerOf(request.raw));
  request.principal = principal;
  checkSubscription(principal.subscriptionStatus);
  limits.takeCall(principal.credentialId);
  request.leave = limits.enter(principal.accountId);
}

/** Lets a rejection for too many calls wait before it is answered; the call is over, and counts no more. */
export async function delayRejection(
  request: Pick<FastifyRequest, 'leave'>,
  limits: Pick<CallLimits, 'delayRejection'>,
): Promise<void> {
  request.leave?.();
  await limits.delayRejection();
}

function checkSubscription(status: string): void {
  if (status !== 'active' && status !== 'trialing')
    throw new PublicError('subscription_required', 'An active or trialing subscription is required.');
}
