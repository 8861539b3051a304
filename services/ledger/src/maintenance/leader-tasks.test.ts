import { randomUUID } from 'node:crypto';
import { createLeases, type Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { volumeOf } from '@ces/test/support/volume.ts';
import { expect, test } from 'vitest';
import { letMinutesPass } from '../../test-support/deleted-refusals.ts';
import {
  AMPLE,
  admission,
  createOldLedger,
  createSubscriber,
  insertHistory,
  letTimePass,
  nextOperationId,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { deleteUnusedLimits, startCallLimitCleanup } from '../call-limits/delete-unused.ts';
import { takeCalls, takeSlots } from '../db/call-limit.ts';
import { readDriftCheck } from '../db/drift-check.ts';
import { readOldestHold } from '../db/hold.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings } from '../posting/postings.ts';
import type { LeaderTaskDependencies } from './leader-tasks.ts';
import { createPartitionsAhead, dropOldPartitions, startPartitionKeeper } from './partitions.ts';
import { prune, startPruner } from './pruner.ts';
import { Reconciler, startReconciler } from './reconciler.ts';
import { deleteOldRefusals, startRefusalCleanup } from './refusals.ts';
import { scrubNext, startScrubber } from './scrubber.ts';

const KEPT_DAYS = 401;
const DAY_SECONDS = 86_400;
const ROUNDS = volumeOf(8, 20, 20);
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

/** By the name of a lease of its own, with which a second process leads the task too. */
const TASKS: Readonly<Record<string, (deps: LeaderTaskDependencies) => AsyncDisposable>> = {
  reconciler: (deps) => startReconciler(deps, 100),
  scrubber: startScrubber,
  partitioning: (deps) => startPartitionKeeper(deps, KEPT_DAYS),
  pruner: (deps) => startPruner(deps, KEPT_DAYS),
  refusals: startRefusalCleanup,
  'call-limits': startCallLimitCleanup,
};

interface Process extends AsyncDisposable {
  passAll(): Promise<void>;
}

function startProcess(ledger: TestLedger, nameOf: (task: string, asked: string) => string): Process {
  const stack = new AsyncDisposableStack();
  const { pool } = stack.use(ledger.connectAgain());
  const times = { leadLeaseMs: 10_000, leadRenewalMs: 3_000 };
  const leases = stack.use(createLeases({ ...times, databaseUrl: ledger.url, applicationName: 'ledger', logger }));
  for (const [task, start] of Object.entries(TASKS)) {
    const named: Leases = {
      campaign: (asked, listener) => leases.campaign(nameOf(task, asked), listener),
      [Symbol.asyncDispose]: async () => undefined,
    };
    stack.use(start({ pool, leases: named, logger }));
  }
  const reconciler = new Reconciler(pool, logger);
  return {
    async passAll() {
      await Promise.all([
        reconciler.pass(never),
        scrubNext(pool, logger),
        createPartitionsAhead(pool, never).then(() => dropOldPartitions(pool, KEPT_DAYS, never)),
        prune({ pool, logger }, KEPT_DAYS, never),
        deleteOldRefusals(pool, never),
        deleteUnusedLimits(pool, never),
      ]);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function arrange(): Promise<{ readonly ledger: TestLedger; readonly before: bigint }> {
  const ledger = await createOldLedger();
  const { pool, owner } = ledger;
  const before = nextOperationId();
  const postings = createPostings(pool);
  const [busy, quiet, damaged, refused] = [
    await createSubscriber(pool, AMPLE),
    await createSubscriber(pool, AMPLE),
    await createSubscriber(pool, AMPLE),
    await createSubscriber(pool, { windowRequestUnits: 1n }),
  ];
  await insertHistory(owner, quiet, 600, 60);
  await letTimePass(owner, quiet.subscriptionId, 440 * DAY_SECONDS);
  for (const subscriber of [busy, damaged]) {
    await insertHistory(owner, subscriber, 600, 60);
    await postings.admit(admission('reserve', subscriber, 2));
    const settled = admission('reserve', subscriber, 4);
    await postings.admit(settled);
    await postings.settle(settled, units(1, 3));
  }
  for (const _ of [1, 2, 3]) await postings.admit(admission('charge', refused));
  await owner.query("update hold set created_at = created_at - interval '61 minutes' where refusal_code is not null");
  await owner.query("update refusal set created_at = created_at - interval '61 minutes'");
  await owner.query(
    `update entry set delivered_units = delivered_units + 100
      where operation_id = (select min(operation_id) from entry where subscription_id = $1)`,
    [damaged.subscriptionId],
  );
  const owned = { needed: 1, prefetch: 0, unused: 0, perSecond: 1, burst: 10, perHour: 0 };
  await takeCalls(pool, [{ ...owned, owner: 'forgotten' }]);
  await owner.query("update call_bucket set filled_at = filled_at - interval '1 hour'");
  await takeCalls(pool, [{ ...owned, owner: 'in use' }]);
  await takeSlots(pool, randomUUID(), 600_000, [{ owner: 'in use', occupied: 1, wanted: 1, most: 2 }]);
  return { ledger, before };
}

/**
 * Reads everything that maintenance may or must not write, without instants. Operation numbers are
 * relative to `before`.
 */
async function stateOf({ pool, owner }: TestLedger, before: bigint) {
  const read = async (text: string, ...values: unknown[]): Promise<readonly { readonly id?: bigint }[]> =>
    (await owner.query(text, values)).rows;
  const subscriptions = await read(
    `select id, held_request_units, held_delivered_units, window_request_units, window_delivered_units,
            week_request_units, week_delivered_units, period_request_units, period_delivered_units
       from subscription order by id`,
  );
  return {
    subscriptions,
    holds: await read(
      'select operation_id - $1 as id, state, request_units, delivered_units from hold order by 1',
      before,
    ),
    entries: await read('select operation_id - $1 as id, request_units, delivered_units from entry order by 1', before),
    held: await read('select operation_id - $1 as id from open_hold order by 1', before),
    refusals: await read('select operation_id - $1 as id from refusal order by 1', before),
    totals: await read(
      'select subscription_id, entries, request_units, delivered_units from entry_total order by subscription_id, settled_at',
    ),
    checks: await read(
      `select subscription_id, checked_at = last_at as whole,
              (select array_agg(one - $1 order by one) from unnest(open_operation_ids) one) as open
         from subscription_check join subscription on id = subscription_id order by subscription_id`,
      before,
    ),
    suspects: await read('select distinct subscription_id from suspect_range order by 1'),
    pruned: await read("select pruned_before > now() - interval '402 days' as noted from pruning"),
    partitions: await read(
      `select relid::regclass::text as name from pg_partition_tree('hold') where isleaf
        union all select relid::regclass::text from pg_partition_tree('entry') where isleaf order by 1`,
    ),
    limits: await read('select owner from call_bucket union all select owner from call_slot order by 1'),
    gauges: await gaugesOf(pool),
    differences: await Promise.all(subscriptions.map(async ({ id = 0n }) => (await findDifferences(pool, id)).length)),
  };
}

async function gaugesOf(pool: Pool) {
  const { ageSeconds, differences } = await readDriftCheck(pool);
  return { differences, isChecked: ageSeconds < 60, isHeld: (await readOldestHold(pool)) > 0 };
}

async function namesOfLeases({ owner }: TestLedger): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string }>('select name from lease where until > now() order by name');
  return rows.map(({ name }) => name);
}

test('two processes that do all maintenance concurrently, as during a rollout, have the same result as one', async () => {
  await using cleanup = new AsyncDisposableStack();
  const [alone, shared] = [await arrange(), await arrange()];
  for (const { ledger } of [alone, shared]) cleanup.use(ledger);
  expect(await stateOf(shared.ledger, shared.before)).toEqual(await stateOf(alone.ledger, alone.before));
  const untouched = await stateOf(alone.ledger, alone.before);

  const only = cleanup.use(startProcess(alone.ledger, (_, asked) => asked));
  const second = cleanup.use(startProcess(shared.ledger, (task) => task));
  const next = cleanup.use(startProcess(shared.ledger, (_, asked) => asked));
  await expect.poll(() => namesOfLeases(alone.ledger)).toEqual(['maintenance']);
  await expect.poll(() => namesOfLeases(shared.ledger)).toEqual([...Object.keys(TASKS), 'maintenance'].toSorted());
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all([only.passAll(), second.passAll(), next.passAll()]);
    await Promise.all([alone, shared].map(({ ledger }) => letMinutesPass(ledger.owner)));
  }

  const left = await stateOf(alone.ledger, alone.before);
  expect(left).toMatchObject({
    refusals: [],
    pruned: [{ noted: true }],
    suspects: [{ subscription_id: 3n }],
    limits: [{ owner: 'in use' }, { owner: 'in use' }],
    gauges: { differences: expect.toSatisfy((found) => found > 0), isChecked: true, isHeld: true },
  });
  for (const changed of ['totals', 'partitions', 'holds', 'entries'] as const)
    expect(left[changed].length, changed).not.toBe(untouched[changed].length);
  expect(await stateOf(shared.ledger, shared.before)).toEqual(left);
});
