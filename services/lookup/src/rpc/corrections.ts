import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { appendCompanyChanges, appendMovedObservations } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { findGroup, insertMerges, moveCompanies, undoMerge } from '../db/company-merge.ts';
import { deleteDoNotMergePairs, insertDoNotMergePair } from '../db/do-not-merge-pair.ts';
import { restoreEvidenceRow, withdrawEvidenceRow } from '../db/evidence.ts';
import { restoreObservation, withdrawObservation } from '../db/observation.ts';
import { activateTakeDown, liftTakeDown, listTakeDowns } from '../db/take-down.ts';
import {
  findCoveredEvidence,
  findCoveredObservations,
  findHoldingTakeDown,
  type Hit,
  readHits,
  releaseHits,
  withdrawHits,
} from '../db/take-down-hit.ts';
import type { Dependencies } from '../dependencies.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { AppliedTotals, applyHits } from '../withdrawal/apply-take-down.ts';
import { applyWithdrawal } from '../withdrawal/apply-withdrawal.ts';
import { readScope, scopeMessage } from '../withdrawal/take-down-scope.ts';
import { checkReason } from './arguments.ts';

/** Transactions of one call, well within a deadline. */
const MAX_PAGES = 40;

/** Withdraws and restores evidence, merges and splits companies. */
export function correctionMethods(dependencies: Dependencies) {
  const { pool, notifier } = dependencies;
  return {
    async withdrawEvidence({ observationId, evidenceId, reason }, context) {
      checkReason(reason);
      const entry = { actor: actorOf(context), observationId, evidenceId: evidenceId || undefined, reason };
      return await applyWithdrawal(dependencies, { ...entry, action: 'withdraw' }, (client) =>
        evidenceId
          ? withdrawEvidenceRow(client, observationId, evidenceId, reason)
          : withdrawObservation(client, observationId, reason),
      );
    },
    async restoreEvidence({ observationId, evidenceId }, context) {
      const entry = { actor: actorOf(context), observationId, evidenceId: evidenceId || undefined, reason: undefined };
      return await applyWithdrawal(dependencies, { ...entry, action: 'restore' }, async (client) => {
        const holding = await findHoldingTakeDown(client, { observationId, evidenceId });
        if (holding !== undefined)
          throw fail(FailureCode.INVALID_REQUEST, `Take-down ${holding} keeps it withdrawn: lift that first.`);
        return evidenceId
          ? await restoreEvidenceRow(client, observationId, evidenceId)
          : await restoreObservation(client, observationId);
      });
    },
    /** Activates first, so that nothing covered is recorded. A repeated call continues. */
    async takeDown(request, context) {
      const { reason } = request;
      checkReason(reason);
      const scope = readScope(request.scope);
      const actor = actorOf(context);
      // Waits for running writers.
      const active = await withResolutionLock(dependencies, async (client) => {
        const found = await activateTakeDown(client, scope, reason, actor.name);
        if (found.created) await insertAuditEntry(client, { actor, action: 'take_down', takeDownId: found.id, reason });
        return found;
      });
      const takeDownId = active.id;
      const applied = new AppliedTotals();
      const withdraw = (hits: readonly Hit[]) =>
        applyHits(dependencies, hits, (client) => withdrawHits(client, takeDownId, active.reason, hits));
      for (const find of [findCoveredObservations, findCoveredEvidence])
        for (let after = 0n; ; ) {
          const hits = await find(pool, takeDownId, scope, after);
          const last = hits.at(-1);
          if (!last) break;
          if (applied.pages === MAX_PAGES) return { takeDownId, ...applied.sums, hasMore: true };
          after = last.evidenceId || last.observationId;
          applied.add(await withdraw(hits));
        }
      return { takeDownId, ...applied.sums, hasMore: false };
    },
    /** Lifts first, then restores in small transactions what only it withdrew. */
    async liftTakeDown({ takeDownId, reason }, context) {
      checkReason(reason);
      const actor = actorOf(context);
      const changed = await withResolutionLock(dependencies, async (client) => {
        const lifted = await liftTakeDown(client, takeDownId, reason);
        if (lifted === undefined) throw fail(FailureCode.NOT_FOUND, 'No take-down has that id.');
        if (lifted) await insertAuditEntry(client, { actor, action: 'lift', takeDownId, reason });
        return lifted;
      });
      const applied = new AppliedTotals();
      for (;;) {
        const hits = await readHits(pool, takeDownId);
        if (hits.length === 0 || applied.pages === MAX_PAGES)
          return { ...applied.sums, changed, hasMore: hits.length > 0 };
        applied.add(await applyHits(dependencies, hits, (client) => releaseHits(client, takeDownId, hits)));
      }
    },
    async listTakeDowns({ liftedToo }) {
      const entries = await listTakeDowns(pool, liftedToo);
      return {
        takeDowns: entries.map(({ id, reason, caller, at, liftedAt, liftedReason = '', observations, ...scope }) => ({
          ...{ id, scope: scopeMessage(scope), reason, caller, at: timestampFromDate(at) },
          ...(liftedAt && { liftedAt: timestampFromDate(liftedAt) }),
          ...{ liftedReason, observations },
        })),
      };
    },
    async mergeCompanies({ companyId, intoId, reason }, context) {
      checkReason(reason);
      const { canonicalId, tx } = await withResolutionLock(dependencies, async (client) => {
        const from = await findGroup(client, companyId);
        const into = await findGroup(client, intoId);
        if (!from || !into) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
        const { canonicalId } = into;
        const { memberIds } = from;
        if (from.canonicalId === canonicalId) return { canonicalId, tx: undefined };
        await insertMerges(client, [{ companyId: from.canonicalId, intoId: canonicalId, rule: 'operator', memberIds }]);
        await deleteDoNotMergePairs(client, memberIds, into.memberIds);
        const moved = memberIds.map((id) => ({ companyId: id, canonicalId }));
        await moveCompanies(client, moved);
        const entry = { action: 'merge', companyId, otherCompanyId: intoId, reason } as const;
        await insertAuditEntry(client, { ...entry, actor: actorOf(context) });
        await appendMovedObservations(client, memberIds);
        return { canonicalId, tx: await appendCompanyChanges(client, memberIds) };
      });
      notifier.notify(tx);
      return { survivorId: canonicalId, tx: tx ?? 0n, changed: tx !== undefined };
    },
    async splitCompanies({ companyId, reason }, context) {
      checkReason(reason);
      const { leftId, tx } = await withResolutionLock(dependencies, async (client) => {
        const group = await findGroup(client, companyId);
        if (!group) throw fail(FailureCode.COMPANY_NOT_FOUND, 'No company has that id.');
        const { canonicalId } = group;
        if (canonicalId === companyId) return { leftId: companyId, tx: undefined };
        const merge = await undoMerge(client, companyId);
        const members = new Set(merge?.memberIds ?? [companyId]);
        const leaving = group.memberIds.filter((id) => members.has(id));
        const moving = leaving.map((id) => ({ companyId: id, canonicalId: companyId }));
        const moved = await moveCompanies(client, moving);
        for (const other of new Set([canonicalId, merge?.intoId ?? canonicalId]))
          await insertDoNotMergePair(client, companyId, other);
        const entry = { action: 'split', companyId, otherCompanyId: canonicalId, reason } as const;
        await insertAuditEntry(client, { ...entry, actor: actorOf(context) });
        await appendMovedObservations(client, moved);
        return { leftId: canonicalId, tx: await appendCompanyChanges(client, [...moved, canonicalId]) };
      });
      notifier.notify(tx);
      return { leftId, tx: tx ?? 0n, changed: tx !== undefined };
    },
  } satisfies Partial<ServiceImpl<typeof RecordService>>;
}
