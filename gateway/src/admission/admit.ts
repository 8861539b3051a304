import type { FastifyRequest } from 'fastify';
import { PublicError } from '../output/public-error.ts';
import { type Authenticate, bearerOf } from './authenticate.ts';
import type { Limits } from './call-limits.ts';

export interface AdmitParts {
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/** What every call passes before its body is read, in the order of decisions.md: credential, subscription, limits. */
export async function admit(request: FastifyRequest, { authenticate, limits }: AdmitParts): Promise<void> {
  const principal = await authenticate(bearerOf(request.raw));
  request.principal = principal;
  checkSubscription(principal.subscriptionStatus);
  limits.takeCall(principal.credentialId);
  request.leave = limits.enter(principal.accountId);
}

/** Lets a refusal for too many calls wait before it is answered; the call is over, and counts no more. */
export async function holdRefusal(
  request: Pick<FastifyRequest, 'leave'>,
  limits: Pick<Limits, 'holdRefusal'>,
): Promise<void> {
  request.leave?.();
  await limits.holdRefusal();
}

function checkSubscription(status: string): void {
  if (status !== 'active' && status !== 'trialing')
    throw new PublicError('subscription_required', 'An active or trialing subscription is required.');
}
