import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetAllowanceRequest, GetAllowanceResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { allowanceOf } from '../allowance/balance-snapshot.ts';
import { readStanding } from '../db/balance-snapshot.ts';
import type { Deps } from './dependencies.ts';
import { notFound } from './input.ts';

export async function getAllowance(
  { pool }: Deps,
  { subscriptionId }: GetAllowanceRequest,
): Promise<MessageInitShape<typeof GetAllowanceResponseSchema>> {
  const subscription = await readStanding(pool, subscriptionId);
  if (!subscription) throw notFound('subscription', subscriptionId);
  const { plan, status, standing } = subscription;
  return { plan, status, allowance: allowanceOf(standing) };
}
