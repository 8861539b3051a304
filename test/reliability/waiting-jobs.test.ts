import { callerOfAccount, QUICK, Stack } from '@ces/operations/test-support/stack';
import { operationsQueue } from '@ces/proto/streams';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { volumeOf } from '../support/volume.ts';

// Decision 0003: the stream holds one message for each waiting job, so that autoscaling can read
// its count.
const WAITING = volumeOf(30, 5_000);
const POLLING = { timeout: 60_000, interval: 50 };

const cleanup = new AsyncDisposableStack();
let stack: Stack;

beforeEach(async () => {
  stack = cleanup.use(await Stack.forTest({ ...QUICK, CES_OPERATIONS_LEASE_MS: '20000', CES_OPERATIONS_WORKERS: '0' }));
  stack.record.addCompanies(2);
});
afterEach(() => cleanup.disposeAsync());

async function streamInfo(): Promise<StreamInfo> {
  const connection = await connect({ servers: inject('natsUrl') });
  try {
    const manager = await jetstreamManager(connection);
    return await manager.streams.info(operationsQueue(stack.env.CES_NATS_PREFIX ?? '').stream, {
      subjects_filter: '>',
    });
  } finally {
    await connection.close();
  }
}

async function counts(): Promise<{ messages: number; waiting: number }> {
  const { rows } = await stack.db.query<{ waiting: number }>(
    `select count(*)::int as waiting from job where ready and queue <> 'step'`,
  );
  return { messages: (await streamInfo()).state.messages, waiting: rows[0]?.waiting ?? 0 };
}

test(`${WAITING} waiting jobs are as many messages, with one subject per account, in any order of claims`, async () => {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  stack.search.before = () => passed;
  // Creates the stream, then leaves it.
  const maker = await stack.startService({ CES_OPERATIONS_WORKERS: '1' });
  await expect.poll(() => streamInfo().then(() => 'made', String), POLLING).toBe('made');
  await stack.stopService(maker);
  for (let n = 0; n < WAITING; n += 1)
    await stack.submit({
      ...{ caller: callerOfAccount(n < WAITING - 2 ? 1n : 2n), requestKey: `k${n}` },
      ...{ input: { query: 'a' }, background: true },
    });
  await expect.poll(counts, POLLING).toEqual({ messages: WAITING, waiting: WAITING });
  const { subject } = operationsQueue(stack.env.CES_NATS_PREFIX ?? '');
  expect((await streamInfo()).state.subjects).toEqual({ [`${subject}.1`]: WAITING - 2, [`${subject}.2`]: 2 });
  await stack.startService({ CES_OPERATIONS_WORKERS: '4' });
  // Two jobs for each account, although the second account's messages come last.
  await expect.poll(counts, POLLING).toEqual({ messages: WAITING - 4, waiting: WAITING - 4 });
  expect((await streamInfo()).state.subjects).toEqual({ [`${subject}.1`]: WAITING - 4 });
  open();
  await expect.poll(counts, { ...POLLING, timeout: 60_000 }).toEqual({ messages: 0, waiting: 0 });
});
