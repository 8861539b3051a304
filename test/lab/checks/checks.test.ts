import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answered, Attempt } from '../load/attempt.ts';
import { type Remains, runChecks } from './all.ts';
import type { EntryRow, HoldRow, OperationRow, Snapshot, SubscriptionRow } from './snapshot.ts';

// One operation of 1 request and 2 delivered units under limits of 2 and 4, and what must be said of each thing amiss.

let logDirectory: string;

beforeAll(async () => {
  logDirectory = await mkdtemp(path.join(os.tmpdir(), 'ces-checks-'));
});
afterAll(() => rm(logDirectory, { recursive: true }));

const operation: OperationRow = {
  ...{ id: 1n, account_id: 1n, subscription_id: 1n, action: 'company_search', request_key: 'k', payment: 'hold' },
  ...{ state: 'delivered', failure_code: null, request_units: 1, delivered_units: 2, fresh_evidence_units: 0 },
  ...{ ended: 3, stored_companies: 2, settled_companies: 2, stored_observations: 2 },
};
const units = { request_units: 1n, delivered_units: 2n };
const hold: HoldRow = {
  operation_id: 1n,
  subscription_id: 1n,
  state: 'posted',
  ...units,
  created: 1_000_000n,
  refusal_code: null,
};
const entry: EntryRow = {
  operation_id: 1n,
  subscription_id: 1n,
  settled: 2_000_000n,
  ...units,
  fresh_evidence_units: 0n,
};
const subscription: SubscriptionRow = {
  ...{ id: 1n, window_seconds: 10n, window_request_units: 2n, week_request_units: 9n, period_request_units: 9n },
  ...{ window_delivered_units: 4n, week_delivered_units: 9n, period_delivered_units: 9n },
};
const refusal: HoldRow = {
  ...{ operation_id: 2n, subscription_id: 1n, state: 'refused', request_units: 1n, delivered_units: 3n },
  ...{ created: 2_500_000n, refusal_code: 'request_limit_reached' },
};
const soundSnapshot: Snapshot = {
  ...{ operations: [operation], holds: [hold, refusal], entries: [entry], subscriptions: [subscription], jobs: 0 },
};

const pending = {
  usage: {
    id: 1,
    status: 'processing',
    request_key: 'k',
    request_units: 0,
    delivered_units: 0,
    fresh_evidence_units: 0,
  },
  request_allowance: { window_seconds: 10, window_remaining: 1, weekly_remaining: 8 },
} as const;

function answered(status: number, body: Answered['outcome']['body'], changes: Partial<Attempt> = {}): Attempt {
  const outcome = { kind: 'answer', status, body, retryAfter: false } as const;
  const who = { surface: 'rest', accountId: 1n, action: 'company_search', key: 'k', input: 'i' } as const;
  return { sentAt: 1_000, receivedAt: 2_000, ...who, outcome, ...changes };
}

function refused(status: number, code: string): Attempt {
  return answered(status, { error: { code, message: 'm' } });
}

async function findings(snapshot: Partial<Snapshot>, attempts: readonly Attempt[] = [], more: Partial<Remains> = {}) {
  const remains = { reports: new Map(), faultWindows: [], logDirectory, secrets: ['hush'] };
  const found = await runChecks({ snapshot: { ...soundSnapshot, ...snapshot }, attempts, ...remains, ...more });
  return [...new Set(found.map((sentence) => sentence.split(' ')[0]))];
}

test('a sound snapshot and answers are found sound', async () => {
  expect(await findings({}, [answered(202, pending)])).toEqual([]);
});

test.each<[string, string, Partial<Snapshot>]>([
  ['C1', 'a delivery without an entry', { entries: [] }],
  ['C1', 'an entry without an operation', { operations: [] }],
  ['C1', 'a failure that was settled', { operations: [{ ...operation, state: 'failed', failure_code: 'x' }] }],
  [
    'C2',
    'a company more than was settled',
    { operations: [{ ...operation, settled_companies: 3, stored_companies: 3 }] },
  ],
  ['C2', 'an operation that shows other units', { operations: [{ ...operation, delivered_units: 1 }] }],
  ['C3', 'two operations of one key', { operations: [operation, { ...operation, id: 3n }] }],
  ['C4', 'an operation that has not ended', { operations: [{ ...operation, state: 'running' }] }],
  ['C4', 'a job that is left', { jobs: 1 }],
  ['C5', 'a window above its limit', { subscriptions: [{ ...subscription, window_delivered_units: 1n }] }],
  ['C5', 'held units above the limit', { entries: [], holds: [{ ...hold, state: 'held', delivered_units: 5n }] }],
  ['C12', 'a refusal of what would have fitted', { holds: [hold, { ...refusal, delivered_units: 2n }] }],
])('%s names %s', async (check, _, snapshot) => {
  expect(await findings(snapshot)).toContain(check);
});

test.each<[string, string, Attempt[]]>([
  ['C3', 'a key that was answered and is gone', [answered(202, pending, { key: 'gone' })]],
  ['C6', 'two different results of one operation', ['a', 'b'].map((as_of) => answered(200, { ...pending, as_of }))],
  [
    'C8',
    'a step back',
    [
      answered(202, pending),
      answered(
        202,
        { ...pending, usage: { ...pending.usage, status: 'pending' } },
        { sentAt: 3_000, receivedAt: 4_000 },
      ),
    ],
  ],
  ['C9', 'a field that the interface does not know', [answered(202, { ...pending, extra: 1 })]],
  ['C10', 'a server error', [refused(500, 'internal_error')]],
  ['C10', 'a call that was turned away while nothing was broken', [refused(503, 'service_unavailable')]],
  ['C10', 'a call without an answer', [{ ...refused(500, ''), outcome: { kind: 'lost', reason: 'reset' } }]],
  ['C12', 'a refusal that the ledger knows nothing of', [refused(429, 'request_limit_reached')]],
])('%s names %s', async (check, _, attempts) => {
  expect(await findings({ holds: [hold] }, attempts)).toContain(check);
});

test('C7 names a report that is not what the ledger says', async () => {
  const usage = {
    request_units: 2,
    weekly_request_units: 1,
    delivered_units: 2,
    weekly_delivered_units: 2,
    fresh_evidence_units: 0,
  };
  const report = answered(200, { usage: usage as never, reservations: { request_units: 0, delivered_units: 0 } });
  expect(await findings({}, [], { reports: new Map([[1n, report]]) })).toEqual(['C7']);
});

test('C11 names a log that says a secret or an unhandled rejection', async () => {
  await writeFile(path.join(logDirectory, 'one.log'), '{"msg":"hush"}');
  expect(await findings({})).toEqual(['C11']);
  await writeFile(path.join(logDirectory, 'one.log'), 'unhandledRejection');
  expect(await findings({})).toEqual(['C11']);
  await rm(path.join(logDirectory, 'one.log'));
});
