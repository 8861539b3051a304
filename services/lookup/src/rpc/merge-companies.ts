import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  MergeCompaniesRequest,
  MergeCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { appendCompanyChanges, appendMovedObservations } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { findGroup, insertMerges, moveCompanies } from '../db/company-merge.ts';
import { deleteDoNotMergePairs } from '../db/do-not-merge-pair.ts';
import type { Dependencies } from '../dependencies.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { checkReason } from './arguments.ts';

export async function mergeCompanies(
  dependencies: Dependencies,
  { companyId, intoId, reason }: MergeCompaniesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof MergeCompaniesResponseSchema>> {
  checkReason(reason);
  const { canonicalId, tx } = await withResolutionLock(dependencies, async (client) => {
    const from = await findGroup(client, companyId);
    const into = await findGroup(client, intoId);
    if (!from || !into) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
    const { canonicalId } = into;
    if (from.canonicalId === canonicalId) return { canonicalId, tx: undefined };
    const merge = {
      companyId: from.canonicalId,
      intoId: canonicalId,
      rule: 'operator',
      memberIds: from.memberIds,
    } as const;
    await insertMerges(client, [merge]);
    await deleteDoNotMergePairs(client, from.memberIds, into.memberIds);
    await moveCompanies(
      client,
      from.memberIds.map((id) => ({ companyId: id, canonicalId })),
    );
    const entry = { action: 'merge', companyId, otherCompanyId: intoId, reason } as const;
    await insertAuditEntry(client, { ...entry, actor: actorOf(context) });
    await appendMovedObservations(client, from.memberIds);
    return { canonicalId, tx: await appendCompanyChanges(client, from.memberIds) };
  });
  dependencies.notifier.notify(tx);
  return { survivorId: canonicalId, tx: tx ?? 0n, changed: tx !== undefined };
}
