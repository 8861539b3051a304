// @module-tag nightly
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from '../support/allowance/history.ts';
import { DAY_MS, MINUTES_MS, startShifted } from '../support/allowance/processes.ts';
import { LOAD_MS, SEED } from '../support/allowance/run-length.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { type Random, seeded } from '../support/random.ts';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

const CALLERS = 12;
const WINDOW_SECONDS = 3;
/** On a busy machine, a run continues until this many calls were refused, or PATIENCE_MS passed. */
const REFUSALS = 10;
const PATIENCE_MS = 20_000;
const START_MS = 120_000;

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let recorded: Recorded;
let gateways: readonly string[];
let ledger: Pool;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: NO_FLOOD_LIMITS }));
  const { companies, observations } = facilities(6, 'cold storage warehouse');
  recorded = await recordEvidence(stack, companies, observations);
  gateways = [stack.baseUrl, ...(await startOthers())];
  ledger = createPool({
    connectionString: stack.databases.ledger.ownerUrl,
    max: 2,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  cleanup.defer(() => ledger.end());
}, START_MS);
afterAll(() => cleanup.disposeAsync());

/** Starts more processes with wrong clocks over the same databases, and a gateway for each set. */
async function startOthers(): Promise<readonly string[]> {
  const start = async (name: 'ledger' | 'operations' | 'gateway', shiftMs: number, env = {}) =>
    cleanup.use(await startShifted(name, shiftMs, { ...stack.environmentOf(name), ...env })).url;
  const lateLedger = await start('ledger', -DAY_MS);
  const earlyOperations = await start('operations', DAY_MS, { CES_LEDGER_URL: lateLedger });
  const behindIt = { CES_LEDGER_URL: lateLedger, CES_OPERATIONS_URL: earlyOperations };
  return await Promise.all([start('gateway', -5 * MINUTES_MS, behindIt), start('gateway', DAY_MS)]);
}

interface Call {
  readonly answer: Answer;
  readonly sentAt: number;
  readonly receivedAt: number;
}

async function call(subscriber: Subscriber, random: Random): Promise<Call> {
  const { search, lookUp } = surface(random.pick(gateways), subscriber.token);
  const sentAt = Date.now();
  const answer = random.chance(0.5)
    ? await search({ query: 'cold storage warehouse', limit: 1 + random.below(6) })
    : await lookUp({ ids: Object.values(recorded.companies).slice(0, 1 + random.below(6)) });
  return { answer, sentAt, receivedAt: Date.now() };
}

async function load(subscriber: Subscriber): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const until = Date.now() + LOAD_MS;
  const goesOn = () => {
    const left = until - Date.now();
    const refused = calls.filter(({ answer }) => answer.status === 429).length;
    return left > 0 || (refused < REFUSALS && left > -PATIENCE_MS);
  };
  const caller = async (_: unknown, index: number) => {
    const random = seeded(`${SEED}/${index}`);
    while (goesOn()) calls.push(await call(subscriber, random));
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return calls;
}

test('over three gateways, two operations and two ledgers whose clocks disagree, limits hold and every 429 is justified', {
  timeout: LOAD_MS + 60_000,
}, async () => {
  const subscriber = await createSubscriber(stack, {
    limits: { windowSeconds: BigInt(WINDOW_SECONDS), windowRequestUnits: 6n, windowDeliveredUnits: 15n },
  });
  const calls = await load(subscriber);
  const counted = Map.groupBy(calls, ({ answer }) => answer.status);
  console.log(`seed ${SEED}: ${[...counted].map(([status, { length }]) => `${length} of ${status}`).join(', ')}`);
  expect([...counted.keys()].toSorted()).toEqual([200, 429]);
  expect(await examine(ledger, subscriber.subscriptionId)).toEqual({ over: [], unjustified: [] });
  const { rows } = await ledger.query<{ at: number; retry: number }>(
    `select extract(epoch from created_at)::float8 * 1000 as at, extract(epoch from retry_at)::float8 * 1000 as retry
     from hold
     where subscription_id = $1 and refusal_code = 'request_limit_reached'`,
    [subscriber.subscriptionId],
  );
  const refused = counted.get(429) ?? [];
  expect(rows).toHaveLength(refused.length);
  for (const { answer, sentAt, receivedAt } of refused) {
    const { code, retry_at: retryAt = '' } = answer.body.error;
    expect(code).toBe('request_limit_reached');
    const own = rows.filter(({ at, retry }) => at >= sentAt && at <= receivedAt + 1 && retry === Date.parse(retryAt));
    expect(own.length, `a decision between ${sentAt} and ${receivedAt}, retry at ${retryAt}`).toBeGreaterThan(0);
    const until = Number(answer.headers.get('retry-after')) * 1_000;
    expect(until).toBeGreaterThanOrEqual(Date.parse(retryAt) - receivedAt);
    expect(until).toBeLessThanOrEqual(Date.parse(retryAt) - sentAt + 1_000);
  }
});
