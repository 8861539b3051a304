import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetSubscriptionRequest,
  GetSubscriptionResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { findSubscription, listSubscriptionsOf } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound } from './input.ts';
import { subscriptionMessage } from './messages.ts';

export async function getSubscription(
  { pool }: Dependencies,
  { subscriptionId, accountId }: GetSubscriptionRequest,
): Promise<MessageInitShape<typeof GetSubscriptionResponseSchema>> {
  const subscription = subscriptionId
    ? await findSubscription(pool, subscriptionId)
    : (await listSubscriptionsOf(pool, [accountId]))[0];
  if (!subscription)
    throw subscriptionId ? notFound('subscription', subscriptionId) : notFound('subscription of account', accountId);
  return { subscription: subscriptionMessage(subscription) };
}
