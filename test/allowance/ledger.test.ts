// @module-tag nightly
import { createRpcClient } from '@ces/chassis/rpc/client';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { createSubscriber, createTestLedger, type TestLedger } from '@ces/ledger/test-support/test-ledger';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from '../support/allowance/history.ts';
import { type LedgerClient, type Payer, runOperation, type Seen } from '../support/allowance/ledger-load.ts';
import { DAY_MS, MINUTES_MS, startShifted } from '../support/allowance/processes.ts';
import { LOAD_MS, SEED } from '../support/allowance/run-length.ts';
import { seeded } from '../support/random.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const CALLERS_PER_PAYER = 12;
const SHIFTS_MS = [-DAY_MS, -5 * MINUTES_MS, 5 * MINUTES_MS, DAY_MS];
/** On a busy machine, a run continues until this many calls were refused, or PATIENCE_MS passed. */
const REFUSALS = 20;
const PATIENCE_MS = 20_000;
const START_MS = 120_000;
const PLENTY = 1_000_000n;

/** Allowances of a subscription; only the limits named here ever bind. */
const NUMBERS = {
  window: { windowSeconds: 1n, windowRequestUnits: 8n, windowDeliveredUnits: 15n },
  'long window': { windowSeconds: 2n, windowRequestUnits: PLENTY, windowDeliveredUnits: 12n },
  week: { weekRequestUnits: 60n, weekDeliveredUnits: 90n },
  period: { periodRequestUnits: 40n },
};

let ledger: TestLedger;
const processes: ServiceProcess[] = [];
const clients: LedgerClient[] = [];

beforeAll(async () => {
  ledger = await createTestLedger();
  const env = {
    CES_LEDGER_PORT: '0',
    CES_LEDGER_DATABASE_URL: ledger.url,
    CES_LEDGER_PEPPERS: `test=${'5a'.repeat(32)}`,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    ...callerSettings({ operations: 'token' }),
  };
  processes.push(...(await Promise.all(SHIFTS_MS.map((shiftMs) => startShifted('ledger', shiftMs, env)))));
  for (const { url } of processes)
    clients.push(createRpcClient(LedgerService, { url, callerToken: 'token', timeoutMs: 20_000 }));
}, START_MS);
afterAll(async () => {
  for (const one of processes) await one[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
});

function makePayer(numbers: (typeof NUMBERS)[keyof typeof NUMBERS]): Promise<Payer> {
  const plenty = {
    windowRequestUnits: PLENTY,
    weekRequestUnits: PLENTY,
    periodRequestUnits: PLENTY,
    windowDeliveredUnits: PLENTY,
    weekDeliveredUnits: PLENTY,
    periodDeliveredUnits: PLENTY,
  };
  return createSubscriber(ledger.pool, { ...plenty, ...numbers });
}

async function load(payer: Payer, name: string): Promise<Seen> {
  const seen: Seen = { admitted: 0, refused: [], givenBack: [] };
  const until = Date.now() + LOAD_MS;
  const goesOn = () => {
    const left = until - Date.now();
    return left > 0 || (seen.refused.length < REFUSALS && left > -PATIENCE_MS);
  };
  const call = async (caller: number) => {
    const random = seeded(`${SEED}/${name}/${caller}`);
    while (goesOn()) await runOperation(clients, payer, random, seen);
  };
  await Promise.all(Array.from({ length: CALLERS_PER_PAYER }, (_, caller) => call(caller)));
  return seen;
}

test('four processes whose clocks are days apart never let a limit pass, and refuse only what would not have fitted', {
  timeout: LOAD_MS + 60_000,
}, async () => {
  const runs = await Promise.all(
    Object.entries(NUMBERS).map(async ([name, numbers]) => {
      const payer = await makePayer(numbers);
      return { name, payer, seen: await load(payer, name) };
    }),
  );
  for (const { name, payer, seen } of runs) {
    const { over, unjustified } = await examine(ledger.owner, payer.subscriptionId, seen.givenBack);
    console.log(
      `seed ${SEED}, ${name}: ${seen.admitted} admitted, ${seen.refused.length} refused, ` +
        `${seen.givenBack.length} given back; over ${over.length}, unjustified ${unjustified.length}`,
    );
    expect(over, name).toEqual([]);
    expect(unjustified, name).toEqual([]);
    expect(seen.admitted, name).toBeGreaterThan(0);
    expect(seen.refused.length, name).toBeGreaterThan(0);
    await expectRefusals(payer, seen);
  }
});

async function expectRefusals({ subscriptionId }: Payer, { refused }: Seen): Promise<void> {
  const { rows } = await ledger.owner.query<{ operation_id: bigint; at: number; ahead: number | null }>(
    `select operation_id, extract(epoch from created_at)::float8 * 1000 as at,
            extract(epoch from retry_at - created_at)::float8 as ahead
     from hold
     where subscription_id = $1 and refusal_code = 'request_limit_reached'`,
    [subscriptionId],
  );
  const decided = new Map(rows.map((row) => [row.operation_id, row]));
  const misplaced = refused.filter(({ operationId, sentAt, receivedAt }) => {
    const at = decided.get(operationId)?.at;
    return at === undefined || at < sentAt || at > receivedAt + 1;
  });
  expect(misplaced).toEqual([]);
  expect(decided.size).toBe(refused.length);
  expect(rows.filter(({ ahead }) => ahead !== null && ahead <= 0)).toEqual([]);
}
