import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListPlansResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listPlans as selectPlans } from '../db/plan.ts';
import type { Dependencies } from './dependencies.ts';
import { limitsMessage } from './messages.ts';

export async function listPlans({ pool }: Dependencies): Promise<MessageInitShape<typeof ListPlansResponseSchema>> {
  const plans = await selectPlans(pool);
  return { plans: plans.map(({ name, limits }) => ({ name, limits: limitsMessage(limits) })) };
}
