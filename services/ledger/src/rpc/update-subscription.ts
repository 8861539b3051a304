import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  UpdateSubscriptionRequest,
  UpdateSubscriptionResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import {
  findSubscription,
  type SubscriptionChange,
  updateSubscription as storeSubscription,
} from '../db/subscription.ts';
import { explainSubscriptionRefusal } from './create-subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound, PLANS, requireLimits, requireOneOf, STATUSES } from './input.ts';
import { subscriptionMessage } from './messages.ts';

export async function updateSubscription(
  { pool, logger }: Dependencies,
  request: UpdateSubscriptionRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof UpdateSubscriptionResponseSchema>> {
  const { subscriptionId: id, plan, status, replaceLimits } = request;
  const change: SubscriptionChange = {
    plan: plan === undefined ? undefined : requireOneOf(plan, 'plan', PLANS),
    status: status === undefined ? undefined : requireOneOf(status, 'status', STATUSES),
    ownLimits: requireLimits(request.ownLimits),
    replaceLimits,
  };
  const subscription = await inTransaction(pool, async (client) => {
    if (!(await storeSubscription(client, id, change))) throw notFound('subscription', id);
    await insertAudit(client, { actor, action: 'UpdateSubscription', subjectId: id, detail: { ...change } });
    return await findSubscription(client, id);
  }).catch(explainSubscriptionRefusal);
  if (!subscription) throw notFound('subscription', id);
  logger.info(
    { subscription_id: String(id), plan: subscription.plan, status: subscription.status },
    'subscription changed',
  );
  return { subscription: subscriptionMessage(subscription) };
}
