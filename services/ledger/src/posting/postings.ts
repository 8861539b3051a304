import { type Pool, violatedConstraint } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Admission, Hold, Movement } from '../allowance/posting.ts';
import { RELEASED_BEFORE } from '../allowance/refusal.ts';
import { NO_UNITS, type Units } from '../allowance/units.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { applyMovements } from './apply.ts';
import { HoldFinder } from './hold-finder.ts';
import { Lanes } from './keyed-batcher.ts';
import { type Moved, MovementFault } from './result.ts';

/** How often a batch is tried when another process was first with one of its operations. */
const ATTEMPTS = 3;

export interface MovementOptions {
  /** Movements that share a commit at most; 1 turns sharing off. */
  readonly maxBatch?: number;
}

/** Moves units; every function is idempotent by operation and throws MovementFault for what no correct caller asks. */
export interface Movements {
  /** Holds or charges units, or refuses for good. */
  admit(admission: Admission): Promise<Moved>;
  settle(operationId: bigint, units: Units): Promise<Moved>;
  release(operationId: bigint): Promise<Moved>;
}

export function createMovements(pool: Pool, options: MovementOptions = {}): Movements {
  const lanes = new Lanes<Movement, Moved>({
    ...options,
    run: (subscriptionId, movements) => applyApart(pool, subscriptionId, movements),
    identityOf: ({ operationId }) => operationId,
    overflow: () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many calls wait for this subscription; try again.'),
  });
  const holds = new HoldFinder<Hold, bigint>({ read: (operationIds) => readHolds(pool, operationIds) });
  return {
    async admit(admission) {
      const moved = await lanes.add(admission.subscriptionId, admission);
      if (moved.hold.subscriptionId !== undefined) holds.remember(admission.operationId, moved.hold.subscriptionId);
      return moved;
    },
    async settle(operationId, units) {
      const subscriptionId = holds.recall(operationId) ?? payerOf(operationId, await holds.find(operationId));
      return await lanes.add(subscriptionId, { kind: 'settle', operationId, units });
    },
    async release(operationId) {
      const hold =
        (await holds.find(operationId)) ?? (await leaveTombstone(pool, operationId, NO_UNITS, RELEASED_BEFORE));
      if (hold.subscriptionId === undefined) return { hold };
      return await lanes.add(hold.subscriptionId, { kind: 'release', operationId });
    },
  };
}

function payerOf(operationId: bigint, hold: Hold | undefined): bigint {
  if (hold?.subscriptionId !== undefined) return hold.subscriptionId;
  throw new MovementFault(`settle: operation ${operationId} ${hold ? `is ${hold.state}` : 'has no hold'}`);
}

/** Applies a batch; when it fails for good, each movement by itself, so that only the one that cannot be written fails. */
async function applyApart(
  pool: Pool,
  subscriptionId: bigint,
  movements: readonly Movement[],
): Promise<readonly (Moved | Error)[]> {
  try {
    return await applyAgain(pool, subscriptionId, movements);
  } catch (error) {
    if (movements.length === 1 || isTransient(error)) throw error;
    const results: (Moved | Error)[] = [];
    for (const movement of movements)
      results.push(...(await applyAgain(pool, subscriptionId, [movement]).catch((own: Error) => [own])));
    return results;
  }
}

async function applyAgain(pool: Pool, subscriptionId: bigint, movements: readonly Movement[]) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyMovements(pool, subscriptionId, movements);
    } catch (error) {
      if (violatedConstraint(error) !== 'hold_pkey' || attempt === ATTEMPTS) throw error;
    }
  }
}
