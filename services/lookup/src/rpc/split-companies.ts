import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  SplitCompaniesRequest,
  SplitCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { appendCompanyChanges, appendMovedObservations } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { findGroup, moveCompanies, undoMerge } from '../db/company-merge.ts';
import { insertDoNotMergePair } from '../db/do-not-merge-pair.ts';
import type { Dependencies } from '../dependencies.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { checkReason } from './arguments.ts';

export async function splitCompanies(
  dependencies: Dependencies,
  { companyId, reason }: SplitCompaniesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SplitCompaniesResponseSchema>> {
  checkReason(reason);
  const { leftId, tx } = await withResolutionLock(dependencies, async (client) => {
    const group = await findGroup(client, companyId);
    if (!group) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
    const { canonicalId } = group;
    if (canonicalId === companyId) return { leftId: companyId, tx: undefined };
    const merge = await undoMerge(client, companyId);
    const members = new Set(merge?.memberIds ?? [companyId]);
    const leaving = group.memberIds.filter((id) => members.has(id));
    const moved = await moveCompanies(
      client,
      leaving.map((id) => ({ companyId: id, canonicalId: companyId })),
    );
    for (const other of new Set([canonicalId, merge?.intoId ?? canonicalId]))
      await insertDoNotMergePair(client, companyId, other);
    const entry = { action: 'split', companyId, otherCompanyId: canonicalId, reason } as const;
    await insertAuditEntry(client, { ...entry, actor: actorOf(context) });
    await appendMovedObservations(client, moved);
    return { leftId: canonicalId, tx: await appendCompanyChanges(client, [...moved, canonicalId]) };
  });
  dependencies.notifier.notify(tx);
  return { leftId, tx: tx ?? 0n, changed: tx !== undefined };
}
