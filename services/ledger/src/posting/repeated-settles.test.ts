import { seeded } from '@ces/test/support/random.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings } from './postings.ts';

// R3: several processes repeat a settlement at once because no answer arrived.
const OPERATIONS = volumeOf(10, 1_000, 30);
const TIMES = 10;
const AMPLE = 10_000_000n;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test(
  `${OPERATIONS} settlements, each sent ${TIMES} times at once over two processes, are one entry each`,
  async () => {
    const random = seeded(String(printedSeed()));
    const subscriber = await createSubscriber(ledger.pool, {
      ...{ windowRequestUnits: AMPLE, weekRequestUnits: AMPLE, periodRequestUnits: AMPLE },
      ...{ windowDeliveredUnits: AMPLE, weekDeliveredUnits: AMPLE, periodDeliveredUnits: AMPLE },
    });
    const processes = [createPostings(ledger.pool), createPostings(ledger.pool)] as const;
    let delivered = 0;
    for (let made = 0; made < OPERATIONS; made += 1) {
      const held = 1 + random.below(50);
      const settled = random.below(held + 1);
      const call = admission('reserve', subscriber, held);
      await processes[0].admit(call);
      const settle = (time: number) => processes[time % 2 === 0 ? 0 : 1].settle(call, units(1, settled));
      const result = await Promise.all(Array.from({ length: TIMES }, (_, time) => settle(time)));
      expect(new Set(result.map(({ hold }) => hold.state))).toEqual(new Set(['posted']));
      delivered += settled;
    }
    const { rows } = await ledger.owner.query<{ entries: bigint; requests: number; delivered: number }>(
      `select count(*) as entries, sum(request_units)::int as requests, sum(delivered_units)::int as delivered
       from entry where subscription_id = $1`,
      [subscriber.subscriptionId],
    );
    expect(rows).toEqual([{ entries: BigInt(OPERATIONS), requests: OPERATIONS, delivered }]);
    expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
  },
  VOLUME_TIMEOUT_MS,
);
