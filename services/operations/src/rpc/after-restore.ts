import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  AfterRestoreRequest,
  AfterRestoreResponseSchema,
  RestoreStepSchema,
} from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import { readNow } from '../db/now.ts';
import { skipOperationNumbers } from '../db/number.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditRepairs } from '../reconciliation/audit-repairs.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { releaseOrphanedHolds } from '../reconciliation/release-orphaned-holds.ts';

type Step = MessageInitShape<typeof RestoreStepSchema>;
type Answer = MessageInitShape<typeof AfterRestoreResponseSchema>;

const OPERATIONS_A_PAGE = 200;
const MOVEMENTS_A_PAGE = 1_000;
/** More than any restore loses: one partition. */
const SKIPPED = 16_777_216n;
/** A day covers the clock difference of the two databases. */
const FORGETTING_MS = 86_400_000;

/** Repeats operations to the ledger, and reverses its settlements of lost ones. */
export async function afterRestore(deps: Dependencies, { page }: AfterRestoreRequest, actor: Actor): Promise<Answer> {
  const [part = '', after = '0'] = page.split(' ');
  if (!/^\d{1,19}$/.test(after)) throw notOurs();
  switch (part) {
    case '':
      await insertAudit(deps.pool, { actor, action: 'after_restore' });
      return { steps: [await skipLostNumbers(deps)], nextPage: 'operations 0' };
    case 'operations':
      return await repairLedger(deps, BigInt(after), actor);
    case 'movements':
      return await releaseOrphans(deps, BigInt(after), actor);
    default:
      throw notOurs();
  }
}

/** Subscribers and the ledger may know numbers that this database lost. */
async function skipLostNumbers({ ledger, pool }: Dependencies): Promise<Step> {
  const highest = await ledger.readHighestOperationId();
  const skipped = await skipOperationNumbers(pool, highest + SKIPPED);
  return { what: 'sequences of operations moved on', count: skipped ? 1n : 0n };
}

async function repairLedger(deps: Dependencies, after: bigint, actor: Actor): Promise<Answer> {
  const found = await reconcile(deps, after, OPERATIONS_A_PAGE);
  await auditRepairs(deps.pool, actor, 'after_restore', found);
  const steps: Step[] = [
    count('operations compared with the ledger', found.checked),
    count('older than the ledger keeps, left alone', found.tooOld),
    count('settled again', found.settledAgain.length),
    count('holds of lost operations released', found.released.length),
    count('settlements of failed operations reversed', found.reversed.length),
    count('open work failed that cannot be paid any more', found.unpaid.length),
    unrepaired('delivered and not admitted any more', found.notAdmitted),
    unrepaired('known to the ledger as another operation', found.mismatched),
    unrepaired('not reconciled: see the log of operations', found.failed),
  ];
  const more = found.checked === OPERATIONS_A_PAGE;
  return { steps, nextPage: more ? `operations ${found.lastOperationId}` : 'movements 0' };
}

async function releaseOrphans(deps: Dependencies, afterOperationId: bigint, actor: Actor): Promise<Answer> {
  const since = new Date((await readNow(deps.pool)).getTime() - deps.config.retentionMs + FORGETTING_MS);
  const page = { afterOperationId, limit: MOVEMENTS_A_PAGE, since };
  const found = await releaseOrphanedHolds(deps, deps.ledgerAdmin, page);
  await auditRepairs(deps.pool, actor, 'after_restore', found);
  return {
    steps: [
      count('holds of lost operations released', found.released.length),
      count('settlements of lost operations reversed', found.reversed.length),
      unrepaired('not released: see the log of operations', found.failed),
    ],
    nextPage: found.lastOperationId === undefined ? '' : `movements ${found.lastOperationId}`,
  };
}

function count(what: string, number: number): Step {
  return { what, count: BigInt(number) };
}

function unrepaired(what: string, ids: readonly bigint[]): Step {
  return { what, count: BigInt(ids.length), unrepaired: ids.map((id) => `operation ${id}`) };
}

function notOurs(): Error {
  return fail(FailureCode.INVALID_REQUEST, '`page` is none of this service.');
}
