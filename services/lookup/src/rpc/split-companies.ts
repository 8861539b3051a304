import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { callerOf } from '@ces/chassis/rpc/server';
import type {
  SplitCompaniesRequest,
  SplitCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { noteCompanies, noteMoved } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { findGroup, moveCompanies, tellApart, undoMerge } from '../db/company-merge.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockResolution } from '../resolution/resolution-lock.ts';
import { checkReason } from './arguments.ts';

export async function splitCompanies(
  { pool, bell, alone }: Dependencies,
  { companyId, reason }: SplitCompaniesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SplitCompaniesResponseSchema>> {
  checkReason(reason);
  const { leftId, tx } = await alone(() =>
    inTransaction(pool, async (client) => {
      await lockResolution(client);
      const group = await findGroup(client, companyId);
      if (!group) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
      const { survivorId } = group;
      if (survivorId === companyId) return { leftId: companyId, tx: undefined };
      const merge = await undoMerge(client, companyId);
      const members = new Set(merge?.memberIds ?? [companyId]);
      const leaving = group.memberIds.filter((id) => members.has(id));
      const moved = await moveCompanies(
        client,
        leaving.map((id) => ({ companyId: id, survivorId: companyId })),
      );
      for (const other of new Set([survivorId, merge?.intoId ?? survivorId])) await tellApart(client, companyId, other);
      const entry = { action: 'split', companyId, otherCompanyId: survivorId, reason } as const;
      await insertAuditEntry(client, { ...entry, caller: callerOf(context) });
      await noteMoved(client, moved);
      return { leftId: survivorId, tx: await noteCompanies(client, [...moved, survivorId]) };
    }),
  );
  if (tx !== undefined) bell.ring(tx);
  return { leftId, tx: tx ?? 0n, changed: tx !== undefined };
}
