import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetUsageReportRequest,
  GetUsageReportResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { allowanceOf } from '../allowance/balance-snapshot.ts';
import { readStanding } from '../db/balance-snapshot.ts';
import { findSubscription } from '../db/subscription.ts';
import type { Deps } from './dependencies.ts';
import { notFound } from './input.ts';
import { subscriptionMessage } from './messages.ts';

export async function getUsageReport(
  { pool }: Deps,
  { subscriptionId }: GetUsageReportRequest,
): Promise<MessageInitShape<typeof GetUsageReportResponseSchema>> {
  const subscription = await findSubscription(pool, subscriptionId);
  const current = await readStanding(pool, subscriptionId);
  if (!subscription || !current) throw notFound('subscription', subscriptionId);
  const { standing, periodStart, periodEnd } = current;
  return {
    subscription: subscriptionMessage({
      ...subscription,
      currentPeriodStart: periodStart,
      currentPeriodEnd: periodEnd,
    }),
    period: standing.horizons.period.settled,
    week: standing.horizons.week.settled,
    reserved: standing.held,
    allowance: allowanceOf(standing),
  };
}
