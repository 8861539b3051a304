import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { facilities, recordEvidence } from '../../../support/record.ts';
import { startTestStack, type TestStack } from '../../../support/stack.ts';
import { backdateAccounts, createPayer, createPayers, type Payer } from './accounts.ts';
import { pickSearches } from './kept.ts';
import { generatePostings } from './ledger-history.ts';
import { lastDay, monthsBefore } from './months.ts';
import { generateOperations } from './operations-history.ts';
import { type Databases, openSession } from './system.ts';
import { makeTemplates, SEARCHES, type Template } from './templates.ts';

const NOW = new Date();
const months = monthsBefore(NOW, { operations: 500, entries: 900 });
const stretches = [...months, lastDay(NOW, months, 60)];

let stack: TestStack;
let databases: Databases;
let payers: Payer[];
let templates: Template[];
let draw: Parameters<typeof pickSearches>[2];

beforeAll(async () => {
  stack = await startTestStack();
  databases = {
    connect: (service) => openSession(inject('postgresUrl'), stack.databases[service as 'ledger'].url),
  };
  const { companies, observations } = facilities(3, 'warehouse expansion');
  const recorded = await recordEvidence(stack, companies, observations);
  const subjects = companies.map(({ key }, at) => ({
    companyId: recorded.companies[key] ?? 0,
    hostname: `northwind${at + 1}.example`,
  }));
  payers = await createPayers(stack.ledgerAdmin, 40);
  const templatePayer = await createPayer(stack.ledgerAdmin);
  templates = await makeTemplates(databases, stack.baseUrl, templatePayer, subjects);
  await backdateAccounts(databases);
  draw = { seed: 7, payers: payers.length, templates: templates.length, searches: SEARCHES };
  const generation = { stretches, payers, templatePayer, draw, now: NOW, byMonth: true, onStretch: () => {} };
  await generateOperations(databases, generation);
  await generatePostings(databases, generation);
}, 120_000);
afterAll(() => stack[Symbol.asyncDispose]());

async function replay(stretch: (typeof stretches)[number] | undefined): Promise<Response | undefined> {
  if (!stretch) return undefined;
  const options = { count: 1, now: NOW, since: new Date(0) };
  const [kept] = await pickSearches(databases, stretch, draw, payers, templates, options);
  return (
    kept &&
    (await fetch(`${stack.baseUrl}${kept.call.path}`, {
      method: kept.call.method,
      headers: {
        authorization: `Bearer ${kept.payer.token}`,
        'content-type': 'application/json',
        'idempotency-key': kept.requestKey,
      },
      body: JSON.stringify(kept.call.body),
    }))
  );
}

test('a generated ledger adds up', async () => {
  const { entries, differences } = await stack.ledgerAdmin.verifyLedger({});
  expect(entries).toBeGreaterThan(900n);
  expect(differences).toEqual([]);
});

test('generated operations and postings are those of one another', async () => {
  const [{ settlements }, { movements }] = await Promise.all([
    stack.operationsAdmin.listSettlements({ afterOperationId: 0n, limit: 5_000 }),
    stack.ledgerAdmin.listMovements({ afterOperationId: 0n, limit: 5_000 }),
  ]);
  const entries = new Map(movements.map(({ hold, entry }) => [hold?.operationId, entry]));
  expect(settlements.length).toBeGreaterThan(500);
  expect(movements.length).toBeGreaterThan(settlements.length);
  for (const { operationId, units } of settlements)
    expect(entries.get(operationId)?.units?.deliveredUnits ?? 0n).toBe(units?.deliveredUnits ?? 0n);
});

test('a generated operation is replayed by its key', async () => {
  expect((await replay(stretches.at(-1)))?.status).toBe(200);
  expect((await replay(stretches.findLast(({ isKept }) => isKept)))?.status).toBe(200);
});

test('a key outlives its operation', async () => {
  expect((await replay(stretches.find(({ isKept }) => !isKept)))?.status).toBe(422);
});

test('numbers go on after the generated ones', async () => {
  const answer = await fetch(`${stack.baseUrl}/api/companies?ids[]=1`, {
    headers: { authorization: `Bearer ${payers[0]?.token}`, 'idempotency-key': 'the next one' },
  });
  const { usage } = (await answer.json()) as { usage: { id: number } };
  const last = stretches.at(-1);
  expect(BigInt(usage.id)).toBeGreaterThanOrEqual((last?.firstId ?? 0n) + BigInt(last?.count ?? 0));
});
