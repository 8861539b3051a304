import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetAllowanceRequest, GetAllowanceResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { allowanceOf } from '../allowance/balance-snapshot.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound } from './input.ts';

export async function getAllowance(
  { pool }: Dependencies,
  { subscriptionId }: GetAllowanceRequest,
): Promise<MessageInitShape<typeof GetAllowanceResponseSchema>> {
  const subscription = await readSnapshot(pool, subscriptionId);
  if (!subscription) throw notFound('subscription', subscriptionId);
  const { plan, status, balance } = subscription;
  return { plan, status, allowance: allowanceOf(balance) };
}
