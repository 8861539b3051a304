import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetUsageReportRequest,
  GetUsageReportResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { allowanceOf } from '../allowance/balance-snapshot.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import { findSubscription } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound } from './input.ts';
import { subscriptionMessage } from './messages.ts';

export async function getUsageReport(
  { pool }: Dependencies,
  { subscriptionId }: GetUsageReportRequest,
): Promise<MessageInitShape<typeof GetUsageReportResponseSchema>> {
  const subscription = await findSubscription(pool, subscriptionId);
  const current = await readSnapshot(pool, subscriptionId);
  if (!subscription || !current) throw notFound('subscription', subscriptionId);
  const { balance, periodStart, periodEnd } = current;
  return {
    subscription: subscriptionMessage({
      ...subscription,
      currentPeriodStart: periodStart,
      currentPeriodEnd: periodEnd,
    }),
    period: balance.intervals.period.settled,
    week: balance.intervals.week.settled,
    reserved: balance.held,
    allowance: allowanceOf(balance),
  };
}
