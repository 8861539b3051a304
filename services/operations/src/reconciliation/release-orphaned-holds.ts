import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isTransient } from '@ces/chassis/rpc/error';
import type { LedgerAdminService, Movement } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Hold, HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Client } from '@connectrpc/connect';
import { findKnown } from '../db/reconciliation.ts';
import type { StepDependencies } from '../operation/state-machine.ts';

export interface OrphansReleased {
  readonly checked: number;
  readonly lastOperationId: bigint | undefined;
  readonly released: readonly bigint[];
  readonly reversed: readonly bigint[];
  readonly failed: readonly bigint[];
}

export interface OrphanPage {
  readonly afterOperationId: bigint;
  readonly limit: number;
  /** Operations deletes older rows, which are not lost. */
  readonly since: Date;
}

const REASON = 'operations lost the operation in a restore';

/**
 * A subscriber who repeats the key is then charged once (promise R32). An operation is written
 * before its hold and deleted only when nothing is held, so a missing one is lost.
 */
export async function releaseOrphanedHolds(
  deps: Pick<StepDependencies, 'pool' | 'ledger' | 'meters' | 'logger'>,
  ledgerAdmin: Pick<Client<typeof LedgerAdminService>, 'listMovements'>,
  { afterOperationId, limit, since }: OrphanPage,
): Promise<OrphansReleased> {
  const { movements } = await ledgerAdmin.listMovements({ afterOperationId, limit });
  const taken = movements.flatMap((movement) => liveHoldOf(movement, since));
  const known = await findKnown(deps.pool, taken);
  const found = { released: [] as bigint[], reversed: [] as bigint[], failed: [] as bigint[] };
  for (const lost of taken.filter(({ id }) => !known.has(id))) {
    const reversed = await deps.ledger.reverseUnknown(lost, REASON).catch((error: unknown) => {
      if (isTransient(error)) throw error;
      deps.logger.error({ err: error, operation_id: lost.id }, 'nothing released for an orphaned operation');
    });
    if (reversed) deps.meters.reversed();
    found[reversed === undefined ? 'failed' : reversed ? 'reversed' : 'released'].push(lost.id);
  }
  if (found.released.length + found.reversed.length > 0)
    deps.logger.warn({ ...found }, 'orphaned holds and settlements released at the ledger');
  const last = movements.length === limit ? movements.at(-1)?.hold?.operationId : undefined;
  return { checked: movements.length, lastOperationId: last, ...found };
}

function liveHoldOf({ hold }: Movement, since: Date) {
  if (!hold || !isLive(hold) || (hold.createdAt && timestampDate(hold.createdAt) < since)) return [];
  const { operationId: id, operationIdentity: identity, subscriptionId } = hold;
  return [{ id, identity, subscriptionId }];
}

function isLive({ state }: Hold): boolean {
  return state === HoldState.HELD || state === HoldState.POSTED;
}
