import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { callerOf } from '@ces/chassis/rpc/server';
import type {
  MergeCompaniesRequest,
  MergeCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { noteCompanies, noteMoved } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { findGroup, forgetApart, insertMerges, moveCompanies } from '../db/company-merge.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockResolution } from '../resolution/resolution-lock.ts';
import { checkReason } from './arguments.ts';

export async function mergeCompanies(
  { pool, bell, alone }: Dependencies,
  { companyId, intoId, reason }: MergeCompaniesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof MergeCompaniesResponseSchema>> {
  checkReason(reason);
  const { survivorId, tx } = await alone(() =>
    inTransaction(pool, async (client) => {
      await lockResolution(client);
      const from = await findGroup(client, companyId);
      const into = await findGroup(client, intoId);
      if (!from || !into) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
      const { survivorId } = into;
      if (from.survivorId === survivorId) return { survivorId, tx: undefined };
      const merge = {
        companyId: from.survivorId,
        intoId: survivorId,
        rule: 'operator',
        memberIds: from.memberIds,
      } as const;
      await insertMerges(client, [merge]);
      await forgetApart(client, from.memberIds, into.memberIds);
      await moveCompanies(
        client,
        from.memberIds.map((id) => ({ companyId: id, survivorId })),
      );
      const entry = { action: 'merge', companyId, otherCompanyId: intoId, reason } as const;
      await insertAuditEntry(client, { ...entry, caller: callerOf(context) });
      await noteMoved(client, from.memberIds);
      return { survivorId, tx: await noteCompanies(client, from.memberIds) };
    }),
  );
  if (tx !== undefined) bell.ring(tx);
  return { survivorId, tx: tx ?? 0n, changed: tx !== undefined };
}
