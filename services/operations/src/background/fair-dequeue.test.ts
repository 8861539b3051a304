import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { AcquireStop } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { afterEach, expect, test } from 'vitest';
import { gate } from '../../test-support/expect.ts';
import { callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

// Promise R33: stuck or waiting jobs of one account barely delay another's.
const STUCK = volumeOf(100, 10_000, 300);
const WAITING = volumeOf(40, 10_000, 150);
const ASKING = volumeOf(12, 200);
const SEARCH_MS = 100;
const NEVER_MS = '600000';
const AT_ONCE = 10;
/**
 * Long enough that no lease ends on a busy machine: a suspected crash would quarantine the job and
 * delay others.
 */
const LONG_LEASE = { CES_OPERATIONS_LEASE_MS: '20000' };

const [FLOODER, OTHER] = [1n, 2n];

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

function background(accountId: bigint, requestKey: string, query = 'a') {
  return stack.submit({ caller: callerOfAccount(accountId), requestKey, input: { query }, background: true });
}

async function untilState(requestKey: string, state: string, timeout: number): Promise<void> {
  await expect.poll(() => stack.stateOf(requestKey), { timeout, interval: 10 }).toBe(state);
}

async function insertMany(accountId: bigint, count: number, state: 'failing' | 'held'): Promise<void> {
  await stack.db.query(
    `insert into operation (account_id, action, request_key, fingerprint, normal_form_version, normal_form,
       subscription_id, credential_id, test_mode, payment, worst_case_units, background, state, deadline_at, failure_code)
     select $1::bigint, 'company_search', 'many' || n, sha256(''), 1, '{"query": "a"}',
       $1::bigint + 1000, $1::bigint + 2000, false, 'hold', 10, true, $3::text, clock_timestamp() + interval '1 hour',
       case when $3::text = 'failing' then 'search_failed' end
     from generate_series(1, $2::int) as n`,
    [accountId, count, state],
  );
}

async function flood(waiting: number): Promise<void> {
  const count = async () => (await stack.db.query<{ n: number }>('select count(*)::int as n from job')).rows[0]?.n ?? 0;
  for (let submitted = 0; (await count()) < waiting; submitted += AT_ONCE)
    await submitMany('flood', AT_ONCE, submitted);
}

async function submitMany(name: string, count: number, from = 0): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, n) =>
        background(FLOODER, `${name} ${from + at + n}`, name),
      ),
    );
}

test('work of a process that ended keeps no other from being claimed, even past its deadline', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: NEVER_MS, CES_OPERATIONS_WORKERS: '0' });
  stack.record.addCompanies(2);
  await background(FLOODER, 'left');
  await stack.db.query(
    `update job set owner = 'the dead', attempts = 1, fence = 9, due_at = clock_timestamp() - interval '1 minute'`,
  );
  await stack.db.query(`update operation set state = 'running', deadline_at = clock_timestamp()`);
  await stack.startService({ CES_OPERATIONS_WORKERS: '2' });
  await background(OTHER, 'other');
  await untilState('other', 'delivered', 10_000);
});

test(`${STUCK} operations that cannot be taken further delay another account's by a round of the sweep`, {
  timeout: VOLUME_TIMEOUT_MS,
}, async () => {
  stack = await Stack.forTest({ CES_OPERATIONS_POLL_INTERVAL_MS: '50' });
  await insertMany(FLOODER, STUCK, 'failing');
  const stuck = new Set<bigint>();
  const { rows } = await stack.db.query<{ id: bigint }>('select id from operation');
  for (const { id } of rows) stuck.add(id);
  const released = new Map<bigint, number>();
  stack.ledger.before = (method, id) => {
    if (method !== 'release') return;
    const count = (released.get(id) ?? 0) + 1;
    released.set(id, count);
    // The process that ran it could not reach the ledger; only the sweeper retries it.
    if (stuck.has(id) || count === 1) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'stuck');
  };
  stack.search.before = () => {
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'no');
  };
  await background(OTHER, 'other');
  await untilState('other', 'failing', 10_000);
  const before = new Map(released);
  await untilState('other', 'failed', 60_000);
  // Two seconds for the process that ran it and two for the sweep interval: two rounds, and the one
  // under way.
  for (const id of stuck) expect((released.get(id) ?? 0) - (before.get(id) ?? 0)).toBeLessThanOrEqual(3);
});

test(`${WAITING} background searches of one account delay another's by two searches at most`, {
  timeout: VOLUME_TIMEOUT_MS,
}, async () => {
  stack = await Stack.forTest({ ...QUICK, ...LONG_LEASE, CES_OPERATIONS_WORKERS: '4' });
  stack.record.addCompanies(2);
  const begun: string[] = [];
  stack.search.before = async (method, query) => {
    if (method !== 'search') return;
    begun.push(query);
    await new Promise((resolve) => setTimeout(resolve, SEARCH_MS));
  };
  await flood(WAITING);
  const before = begun.length;
  await background(OTHER, 'other', 'other');
  await untilState('other', 'delivered', 60_000);
  // Each of four workers may have started two of the flooder's jobs first.
  const ahead = begun.indexOf('other') - before;
  console.log(`behind ${WAITING} others it began after ${ahead} of them`);
  expect(ahead).toBeLessThanOrEqual(8);
});

test('runs that ask sources delay none that do not, and one account does not delay all that do', {
  timeout: VOLUME_TIMEOUT_MS,
}, async () => {
  stack = await Stack.forTest({
    ...{ ...QUICK, ...LONG_LEASE },
    ...{ CES_ACQUISITION_ON_DEMAND: 'true', CES_OPERATIONS_WORKERS: '4', CES_OPERATIONS_SOURCE_RUNS: '2' },
  });
  stack.record.addCompanies(2);
  const asked = gate();
  const askedOf: string[] = [];
  stack.acquisition.answer = async ({ query }) => {
    askedOf.push(query);
    await asked.passed;
    return { stop: AcquireStop.EXHAUSTED };
  };
  await submitMany('asking', ASKING);
  await expect.poll(() => askedOf).toEqual(['asking']);
  await background(OTHER, 'asks too', 'other');
  await expect.poll(() => askedOf).toEqual(['asking', 'other']);
  const full = stack.submit({
    caller: callerOfAccount(OTHER),
    requestKey: 'k',
    input: { query: 'a', limit: 2 },
    background: true,
  });
  await full;
  await untilState('k', 'delivered', 10_000);
  asked.open();
  for (let n = 0; n < ASKING; n += 1) await untilState(`asking ${n}`, 'delivered', 30_000);
  expect((await stack.db.query('select from job where attempts > 1')).rowCount).toBe(0);
});
