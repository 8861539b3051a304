import type { Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import {
  type SlotLeaseRequest,
  type TokenLease,
  type TokenLeaseRequest,
  takeCalls,
  takeSlots,
} from '../db/call-limit.ts';
import { KeyedBatcher } from '../posting/keyed-batcher.ts';

export interface LimitLeases {
  takeCalls(requests: readonly TokenLeaseRequest[]): Promise<TokenLease[]>;
  /** Returns the number of slots for each request. Slots last 5 s. */
  takeSlots(holder: string, requests: readonly SlotLeaseRequest[]): Promise<number[]>;
}

/** In milliseconds: a process that does not renew its slots within this time loses them. */
const SLOTS_KEPT_MS = 5_000;

/**
 * Requests that arrive during a statement share the next one. Every process asks for a busy owner,
 * and separate statements would block connections while they wait for its row.
 */
export function createLimitLeases(pool: Pool): LimitLeases {
  let asked = 0n;
  const calls = new KeyedBatcher<{ readonly number: bigint; readonly request: TokenLeaseRequest }, TokenLease>({
    run: (_, items) =>
      takeCalls(
        pool,
        items.map(({ request }) => request),
      ),
    identityOf: ({ number }) => number,
    overflow,
  });
  return {
    takeCalls: async (requests) =>
      await Promise.all(requests.map((request) => calls.add(0n, { number: ++asked, request }))),
    takeSlots: async (holder, requests) => await takeSlots(pool, holder, SLOTS_KEPT_MS, requests),
  };
}

function overflow(): Error {
  return fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'The ledger has too much to do now; limit calls by yourself for a while.',
  );
}
