import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type { UpdatePlanRequest, UpdatePlanResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import { updatePlan as storePlan } from '../db/plan.ts';
import { recordLimitsChanged } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { PLANS, requireLimits, requireOneOf } from './input.ts';
import { limitsMessage } from './messages.ts';

export async function updatePlan(
  { pool, logger }: Dependencies,
  request: UpdatePlanRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof UpdatePlanResponseSchema>> {
  const name = requireOneOf(request.name, 'name', PLANS);
  const wanted = requireLimits(request.limits);
  const limits = await inTransaction(pool, async (client) => {
    await recordLimitsChanged(client, name);
    await insertAudit(client, { actor, action: 'UpdatePlan', subjectId: name, detail: { ...wanted } });
    return await storePlan(client, name, wanted);
  });
  logger.info({ plan: name }, 'plan changed');
  return { plan: { name, limits: limitsMessage(limits) } };
}
