import type { Pool } from '@ces/chassis/postgres/pool';
import { Batcher, settleInOrder } from '@ces/chassis/service/batcher';
import {
  type SlotLeaseRequest,
  type TokenLease,
  type TokenLeaseRequest,
  takeCalls,
  takeSlots,
} from '../db/call-limit.ts';

export interface LimitLeases {
  takeCalls(requests: readonly TokenLeaseRequest[]): Promise<TokenLease[]>;
  /** Slots last 5 s. */
  takeSlots(holder: string, requests: readonly SlotLeaseRequest[]): Promise<number[]>;
}

/** A process that does not renew them loses them. */
const SLOTS_KEPT_MS = 5_000;
const MAX_BATCH = 200;
/** One works while the next waits for row locks. */
const MAX_IN_FLIGHT = 2;
const COLLECT_MS = 5;
/** Beyond this many waiting requests, callers limit by themselves. */
const MAX_WAITING = 2_000;

/** Requests during a statement share the next: separate ones would wait for a busy owner's row. */
export function createLimitLeases(pool: Pool): LimitLeases {
  const calls = new Batcher<TokenLeaseRequest, TokenLease>({
    maxItems: MAX_BATCH,
    maxInFlight: MAX_IN_FLIGHT,
    maxWaitMs: COLLECT_MS,
    maxWaiting: MAX_WAITING,
    run: async (entries) =>
      settleInOrder(
        entries,
        await takeCalls(
          pool,
          entries.map(({ item }) => item),
        ),
      ),
  });
  return {
    takeCalls: async (requests) => await Promise.all(requests.map((request) => calls.add(request))),
    takeSlots: async (holder, requests) => await takeSlots(pool, holder, SLOTS_KEPT_MS, requests),
  };
}
