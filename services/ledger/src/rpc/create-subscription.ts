import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction, violatedConstraint } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  CreateSubscriptionRequest,
  CreateSubscriptionResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import { findSubscription, insertSubscription, type NewSubscription } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, notFound, PLANS, requireLimits, requireOneOf, STATUSES } from './input.ts';
import { subscriptionMessage } from './messages.ts';

export async function createSubscription(
  { pool, logger }: Dependencies,
  request: CreateSubscriptionRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof CreateSubscriptionResponseSchema>> {
  const { accountId } = request;
  const wanted: NewSubscription = {
    accountId,
    plan: requireOneOf(request.plan, 'plan', PLANS),
    status: requireOneOf(request.status || 'active', 'status', STATUSES),
    ownLimits: requireLimits(request.ownLimits),
  };
  const subscription = await inTransaction(pool, async (client) => {
    const id = await insertSubscription(client, wanted);
    if (id === undefined) throw notFound('account', accountId);
    await insertAudit(client, { actor, action: 'CreateSubscription', subjectId: id, detail: { ...wanted } });
    return await findSubscription(client, id);
  }).catch(explainSubscriptionRefusal);
  if (!subscription) throw notFound('account', accountId);
  logger.info({ subscription_id: String(subscription.id), plan: subscription.plan }, 'subscription created');
  return { subscription: subscriptionMessage(subscription) };
}

export function explainSubscriptionRefusal(error: unknown): never {
  switch (violatedConstraint(error)) {
    case 'subscription_account_key':
      throw invalid('The account has a subscription already; change that one.');
    case 'subscription_test_mode_numbers':
      throw invalid("A test account has the plan builder with the plan's own numbers.");
    default:
      throw error;
  }
}
