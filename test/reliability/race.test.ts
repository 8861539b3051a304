// @module-tag nightly
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings as gatewaySettings } from '@ces/gateway/config';
import { start as startGateway } from '@ces/gateway/start';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { checkEnded, checkKeys, checkMatching, checkUnits } from '../lab/checks/settlement.ts';
import { readSnapshot } from '../lab/checks/snapshot.ts';
import { identicalRaceFaults, mixedRaceFaults, type Race, race } from '../lab/drills/race/races.ts';
import type { Door } from '../lab/load/client.ts';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { seeded } from '../support/random.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

// The small version of `npm run lab -- race`.
const KEYS = 15;
/** For busy machines, in milliseconds. */
const PATIENCE_MS = 90_000;
const seed = process.env.CES_TEST_SEED ?? String(Date.now());

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let gateways: string[];

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: NO_FLOOD_LIMITS }));
  const second = cleanup.use(await startServiceProcess('operations', stack.environmentOf('operations')));
  const start = async (env: Readonly<Record<string, string>>) =>
    cleanup.use(
      await startGateway(
        readSettings(gatewaySettings, { ...stack.environmentOf('gateway'), ...env }),
        createLogger('test', 'silent'),
        { checkAnswers: true },
      ),
    ).url;
  gateways = [stack.baseUrl, await start({ CES_OPERATIONS_URL: second.url }), await start({})];
  const { companies, observations } = facilities(5, 'steel works');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => cleanup.disposeAsync());

async function raceOf(racers: number, query: (at: number) => string): Promise<readonly Race[]> {
  onTestFailed(() => console.error(`repeat with CES_TEST_SEED=${seed}`));
  const { token, accountId } = await createSubscriber(stack, { limits: AMPLE });
  const doors = gateways.map((baseUrl): Door => ({ baseUrl, token, accountId, surface: 'rest' }));
  return await race({ keys: KEYS, racers, atOnce: 2, doors, random: seeded(seed), query });
}

async function expectOneOperationEach(races: readonly Race[]): Promise<void> {
  const accountId = races[0]?.attempts[0]?.accountId;
  const addresses = { operations: stack.databases.operations.ownerUrl, ledger: stack.databases.ledger.ownerUrl };
  const read = async () => {
    const snapshot = await readSnapshot(addresses);
    const operations = snapshot.operations.filter((row) => row.account_id === accountId);
    const ids = new Set(operations.map(({ id }) => id));
    const holds = snapshot.holds.filter((row) => ids.has(row.operation_id));
    return { ...snapshot, operations, holds, entries: snapshot.entries.filter((row) => ids.has(row.operation_id)) };
  };
  await expect.poll(async () => checkEnded(await read()), { timeout: 60_000, interval: 200 }).toEqual([]);
  const snapshot = await read();
  expect([snapshot.operations.length, snapshot.holds.length, snapshot.entries.length]).toEqual([KEYS, KEYS, KEYS]);
  const attempts = races.flatMap((one) => one.attempts);
  expect([...checkMatching(snapshot), ...checkUnits(snapshot), ...checkKeys(snapshot, attempts)]).toEqual([]);
}

test(
  'twenty simultaneous identical submits over both surfaces and three gateways are one operation and one charge',
  async () => {
    const races = await raceOf(20, () => 'steel works');
    expect(races.flatMap(identicalRaceFaults)).toEqual([]);
    await expectOneOperationEach(races);
  },
  PATIENCE_MS,
);

test(
  'of ten simultaneous submits one of which differs, one input takes the key and nothing of the others is written',
  async () => {
    const races = await raceOf(10, (at) => (at === 0 ? 'foundry' : 'steel works'));
    expect(races.flatMap(mixedRaceFaults)).toEqual([]);
    await expectOneOperationEach(races);
  },
  PATIENCE_MS,
);
