import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { seeded } from '@ces/test/support/random.ts';
import { CRASHING_MAIN, type ServiceProcess, startServiceProcess } from '@ces/test/support/service-process.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { afterEach, expect, test } from 'vitest';
import { gate, outcomeOf } from '../../test-support/expect.ts';
import { type Answer, QUICK, Stack } from '../../test-support/stack.ts';

// R11: all workers hang and the sweeper is killed repeatedly; then the workers return.
const OPERATIONS = volumeOf(12, 200);
const CRASHES = volumeOf(1, 50);
const WORKERS = volumeOf(1, 3);
const NEVER = { CES_OPERATIONS_SWEEP_INTERVAL_MS: '0' };
const TIMES = { CES_OPERATIONS_PENDING_MS: '4000', CES_OPERATIONS_PROCESSING_MS: '4000' };

const cleanup = new AsyncDisposableStack();
const stalled = gate();
let stack: Stack;

afterEach(async () => {
  stalled.open();
  await cleanup.disposeAsync();
  await stack[Symbol.asyncDispose]();
});

/**
 * Starts a process that only sweeps and is killed at a crash point. Returns how it ended, which may
 * be before it is ready.
 */
async function endOfSweeper(crashAt: string): Promise<string> {
  const env = { ...stack.env, ...TIMES, CES_OPERATIONS_WORKERS: '0', CES_CRASH_AT: crashAt };
  const often = { CES_OPERATIONS_SWEEP_INTERVAL_MS: QUICK.CES_OPERATIONS_SWEEP_INTERVAL_MS };
  const sweeper = await startServiceProcess('operations', { ...env, ...often }, CRASHING_MAIN).catch(
    (error: Error) => error.message,
  );
  return typeof sweeper === 'string' ? sweeper : await cleanup.use(sweeper).ended;
}

async function startWorkers(): Promise<ServiceProcess[]> {
  const env = { ...stack.env, ...TIMES, ...NEVER, CES_OPERATIONS_WORKERS: '4' };
  const start = () => startServiceProcess('operations', env);
  const workers = await Promise.all(Array.from({ length: WORKERS }, start));
  for (const worker of workers) cleanup.use(worker);
  return workers;
}

async function submitMany(name: string, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push((await stack.submit({ requestKey: `${name}${at}`, input: { query: 'a' }, background: true })).usage.id);
  return ids;
}

function pollAll(ids: readonly bigint[]): Promise<Answer[]> {
  return Promise.all(ids.map((id) => stack.poll(id)));
}

test(
  `${OPERATIONS} operations whose workers are frozen expire, hold nothing, and nothing comes of them when the workers return`,
  async () => {
    const random = seeded(String(printedSeed()));
    stack = await Stack.forTest({ ...QUICK, ...TIMES, ...NEVER, CES_OPERATIONS_WORKERS: '0' });
    stack.record.addCompanies(2);
    stack.search.before = () => stalled.passed;
    const workers = await startWorkers();
    const early = await submitMany('early', WORKERS);
    for (const at of early.keys()) await expect.poll(() => stack.stateOf(`early${at}`)).toBe('running');
    for (const { child } of workers) child.kill('SIGSTOP');
    const ids = [...early, ...(await submitMany('k', OPERATIONS))];
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const point = random.pick(['sweep.before_release', 'sweep.after_release']);
      expect(await endOfSweeper(`${point}:${1 + random.below(2)}`)).toContain('SIGKILL');
    }
    await stack.startService({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '50' });
    await expect.poll(countUnended).toBe(0);
    await expectExpired(ids);
    expect([stack.ledger.count(HoldState.HELD), stack.ledger.count(HoldState.POSTED)]).toEqual([0, 0]);
    expect(stack.ledger.count(HoldState.VOID)).toBe(ids.length);
    const before = await pollAll(ids);
    for (const { child } of workers) child.kill('SIGCONT');
    stalled.open();
    const later = await stack.submit({ requestKey: 'later', input: { query: 'a' }, background: true });
    await stack.untilStatus(later.usage.id, Status.DELIVERED, 30_000);
    expect(await pollAll(ids)).toEqual(before.map((answer) => ({ ...answer, allowance: expect.anything() })));
    expect((await stack.db.query('select from result')).rowCount).toBe(1);
    expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
  },
  VOLUME_TIMEOUT_MS + 60_000,
);

async function countUnended(): Promise<number> {
  return (await stack.db.query(`select from operation where state <> 'failed'`)).rowCount ?? 0;
}

async function expectExpired(ids: readonly bigint[]): Promise<void> {
  for (const answer of await pollAll(ids)) {
    expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
    expect(answer.usage.units).toMatchObject({ requestUnits: 0n, deliveredUnits: 0n });
  }
}
