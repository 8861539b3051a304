import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { LiftTakeDownRequest, LiftTakeDownResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAuditEntry } from '../db/audit.ts';
import { liftTakeDown as lift } from '../db/take-down.ts';
import { readHits, releaseHits } from '../db/take-down-hit.ts';
import type { Dependencies } from '../dependencies.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { AppliedTotals, applyHits } from '../withdrawal/apply-take-down.ts';
import { checkReason } from './arguments.ts';

/** Transactions of one call, well within a deadline. */
const MAX_PAGES = 40;

/** Lifts first, then restores in small transactions what only it withdrew. */
export async function liftTakeDown(
  dependencies: Dependencies,
  { takeDownId, reason }: LiftTakeDownRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof LiftTakeDownResponseSchema>> {
  checkReason(reason);
  const actor = actorOf(context);
  const changed = await withResolutionLock(dependencies, async (client) => {
    const lifted = await lift(client, takeDownId, reason);
    if (lifted === undefined) throw fail(FailureCode.NOT_FOUND, 'No take-down has that id.');
    if (lifted) await insertAuditEntry(client, { actor, action: 'lift', takeDownId, reason });
    return lifted;
  });
  const applied = new AppliedTotals();
  for (;;) {
    const hits = await readHits(dependencies.pool, takeDownId);
    const { observations, evidence, tx } = applied;
    if (hits.length === 0 || applied.pages === MAX_PAGES)
      return { observations, evidence, tx, changed, hasMore: hits.length > 0 };
    applied.add(await applyHits(dependencies, hits, (client) => releaseHits(client, takeDownId, hits)));
  }
}
