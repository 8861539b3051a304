import type { Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type CallShare, type CallWish, type PlaceWish, takeCalls, takePlaces } from '../db/call-limit.ts';
import { KeyedBatcher } from '../posting/keyed-batcher.ts';

/** Gives out shares of limits of the installation, to whichever processes ask. */
export interface Shares {
  takeCalls(wishes: readonly CallWish[]): Promise<CallShare[]>;
  /** Places for each wish, for 5 s. */
  takePlaces(holder: string, wishes: readonly PlaceWish[]): Promise<number[]>;
}

/** A process that was not heard of for so long has no places, in milliseconds. */
const PLACES_KEPT_MS = 5_000;

/**
 * What is asked while a statement runs goes into the next one: an owner who calls a lot is asked for by every process, and statements
 * that wait for its row would hold up what else is sent over their connections.
 */
export function createShares(pool: Pool): Shares {
  let asked = 0n;
  const calls = new KeyedBatcher<{ readonly number: bigint; readonly wish: CallWish }, CallShare>({
    run: (_, items) =>
      takeCalls(
        pool,
        items.map(({ wish }) => wish),
      ),
    identityOf: ({ number }) => number,
    overflow,
  });
  return {
    takeCalls: async (wishes) => await Promise.all(wishes.map((wish) => calls.add(0n, { number: ++asked, wish }))),
    takePlaces: async (holder, wishes) => await takePlaces(pool, holder, PLACES_KEPT_MS, wishes),
  };
}

function overflow(): Error {
  return fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'The ledger has too much to do now; limit calls by yourself for a while.',
  );
}
