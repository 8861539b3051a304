import type { Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type CallShare, type CallWish, type PlaceWish, takeCalls, takePlaces } from '../db/call-limit.ts';
import { KeyedBatcher } from '../posting/keyed-batcher.ts';

export interface Shares {
  takeCalls(wishes: readonly CallWish[]): Promise<CallShare[]>;
  /** Returns the number of slots for each wish. Slots last 5 s. */
  takePlaces(holder: string, wishes: readonly PlaceWish[]): Promise<number[]>;
}

/** In milliseconds: a process that does not renew its slots within this time loses them. */
const PLACES_KEPT_MS = 5_000;

/**
 * Requests that arrive during a statement share the next one. Every process asks for a busy owner,
 * and separate statements would block connections while they wait for its row.
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
