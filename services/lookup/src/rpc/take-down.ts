import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Actor, actorOf } from '@ces/chassis/rpc/caller';
import type { TakeDownRequest, TakeDownResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAuditEntry } from '../db/audit.ts';
import { activateTakeDown, type Scope } from '../db/take-down.ts';
import { findCoveredEvidence, findCoveredObservations, type Hit, withdrawHits } from '../db/take-down-hit.ts';
import type { Dependencies } from '../dependencies.ts';
import { withResolutionLock } from '../resolution/resolution-lock.ts';
import { AppliedTotals, applyHits } from '../withdrawal/apply-take-down.ts';
import { readScope } from '../withdrawal/take-down-scope.ts';
import { checkReason } from './arguments.ts';

const MAX_PAGES = 40;

/** Activates first, so that nothing covered is recorded. A repeated call continues. */
export async function takeDown(
  dependencies: Dependencies,
  request: TakeDownRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof TakeDownResponseSchema>> {
  checkReason(request.reason);
  const scope = readScope(request.scope);
  const active = await activate(dependencies, scope, request.reason, actorOf(context));
  const applied = new AppliedTotals();
  const withdraw = (hits: readonly Hit[]) =>
    applyHits(dependencies, hits, (client) => withdrawHits(client, active.id, active.reason, hits));
  for (const find of [findCoveredObservations, findCoveredEvidence])
    for (let after = 0n; ; ) {
      const hits = await find(dependencies.pool, active.id, scope, after);
      const last = hits.at(-1);
      if (!last) break;
      if (applied.pages === MAX_PAGES) return answer(active.id, applied, true);
      after = last.evidenceId || last.observationId;
      applied.add(await withdraw(hits));
    }
  return answer(active.id, applied, false);
}

function answer(takeDownId: bigint, { observations, evidence, tx }: AppliedTotals, hasMore: boolean) {
  return { takeDownId, observations, evidence, tx, hasMore };
}

/** Waits for running writers. */
function activate(dependencies: Dependencies, scope: Scope, reason: string, actor: Actor) {
  return withResolutionLock(dependencies, async (client) => {
    const active = await activateTakeDown(client, scope, reason, actor.name);
    if (active.created) await insertAuditEntry(client, { actor, action: 'take_down', takeDownId: active.id, reason });
    return active;
  });
}
