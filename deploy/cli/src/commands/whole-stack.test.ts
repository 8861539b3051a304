import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startTestStack, type TestStack } from '@ces/test/support/stack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ces, type Outcome } from '../../test-support/fake-stack.ts';

const COMPANIES = 60;
const OBSERVATIONS = 1_300;

let stack: TestStack;
let folder: string;
let operator: NodeJS.ProcessEnv;
let subscriber: NodeJS.ProcessEnv;

beforeAll(async () => {
  stack = await startTestStack({ acquisition: {} });
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-set-'));
  await writeSet();
  operator = { ...stack.environmentOf('gateway'), CES_RPC_TOKEN: 'token-of-admin', CES_REASON: 'a test' };
  const account = (await run('account', 'create', 'Example')).json<{ id: number }>();
  await run('subscription', 'create', String(account.id), '--plan', 'professional');
  const { token } = (await run('api-key', 'issue', String(account.id))).json<{ token: string }>();
  subscriber = { ...operator, CES_RPC_TOKEN: '', CES_TOKEN: token };
});
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command line that must succeed. Standard error may only contain progress. */
async function succeed(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = await ces([...argv, '--json'], env);
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  return outcome;
}

function run(...argv: string[]): Promise<Outcome> {
  return succeed(argv, operator);
}

function ask(...argv: string[]): Promise<Outcome> {
  return succeed(argv, subscriber);
}

interface Found {
  readonly usage: { readonly id: number; readonly delivered_units: number };
  readonly withheld_units: number;
  readonly companies: { readonly match: { readonly observation_ids: number[] } }[];
}

/** Writes a set in which each observation shares half of its words with the next. */
async function writeSet(): Promise<void> {
  const companies = Array.from({ length: COMPANIES }, (_, at) => {
    const id = at + 1;
    return { id, name: `Works ${id}`, country: 'US', domains: [{ id, hostname: `c${id}.example` }] };
  });
  const occurredAt = '2026-01-01T00:00:00Z';
  const observations = Array.from({ length: OBSERVATIONS }, (_, at) => ({
    ...{ id: at + 1, company: { id: 1 + (at % COMPANIES) }, kind: 'facility_expansion', country: 'US' },
    observed_fact: Array.from({ length: 12 }, (_, word) => wordOf(at * 6 + word)).join(' '),
    ...{ why_it_may_matter: 'A test.', confidence: 0.8, occurred_at: occurredAt, observed_at: occurredAt },
    expires_at: null,
    evidence: [{ source_uri: `https://source.example/${at}`, excerpt: wordOf(at), observed_at: occurredAt }],
  }));
  for (const [name, lines] of Object.entries({ companies, observations }))
    await writeFile(path.join(folder, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function wordOf(number: number): string {
  const syllables = 'ka lo mi ren to sa vel dor an pi'.split(' ');
  return [...String(number).padStart(5, '0')].map((digit) => syllables[Number(digit)]).join('');
}

async function factOf(observation: number): Promise<string> {
  const lines = (await readFile(path.join(folder, 'observations.jsonl'), 'utf8')).split('\n');
  return (JSON.parse(lines[observation - 1] ?? '') as { observed_fact: string }).observed_fact;
}

test('an imported set is recorded once, found, charged, withdrawn and accounted for', async () => {
  const first = (await run('import', folder, '--dataset', 'set')).json();
  expect(first).toMatchObject({ companies: { created: COMPANIES }, observations: { created: OBSERVATIONS } });
  const again = await ces(['import', folder, '--dataset', 'set', '--wait-index', '--json'], operator);
  expect(again.json()).toMatchObject({
    companies: { seen: COMPANIES },
    observations: { created: 0, seen: OBSERVATIONS },
  });
  expect((await run('index', 'status')).json()).toMatchObject({ observations: OBSERVATIONS, lag: 0 });

  const search = [
    'search',
    await factOf(1),
    '--limit',
    '1',
    '--occurred-after',
    '2020-01-01T00:00:00Z',
    '--key',
    'once',
  ];
  const found = (await ask(...search)).json<Found>();
  expect(found.usage.delivered_units).toBe(1);
  expect((await ask(...search)).json<Found>().usage).toEqual(found.usage);

  for (const id of found.companies[0]?.match.observation_ids ?? [])
    await run('evidence', 'withdraw', String(id), '--reason', 'test');
  const replay = (await ask('wait', String(found.usage.id))).json<Found>();
  expect(replay).toMatchObject({ companies: [], withheld_units: 1, usage: found.usage });

  expect((await ask('usage')).json()).toMatchObject({ usage: { request_units: 1, delivered_units: 1 } });
  expect((await run('operations', 'list')).json()).toMatchObject([{ id: found.usage.id, status: 'delivered' }]);
  expect((await run('ledger', 'verify')).json()).toMatchObject({ entries: 1, operations: 1, differences: [] });
});

test('an answer is explained company by company for an administrator', async () => {
  const query = ['search', await factOf(6), '--occurred-after', '2020-01-01T00:00:00Z'];
  const env = { ...operator, CES_TOKEN: subscriber.CES_TOKEN };
  const { json } = await succeed([...query, '--limit', '2', '--explain'], env);
  const { companies, explanation } = json<{
    companies: { id: number }[];
    explanation: { company_id: number; hits: { gains: unknown[] }[] }[];
  }>();
  expect(companies).toHaveLength(2);
  expect(explanation.map((row) => row.company_id)).toEqual(companies.map((company) => company.id));
  const { stdout } = await ces([...query, '--limit', '2', '--explain'], env);
  expect(stdout).toMatch(/observation \d+ {2}score 0\.\d{3}\n/);
  expect(stdout).toMatch(/\+\d+\.\d{3} +text +"\w+" in fact \(word\)/);
  expect((await ces([...query, '--explain'], subscriber)).exitCode).toBe(1);
});

test('a background search is waited for, and the doctor finds every part well', async () => {
  const begun = (await ask('search', 'anything at all', '--background')).json<Found>();
  expect((await ask('wait', String(begun.usage.id))).json()).toMatchObject({ usage: { status: 'delivered' } });
  const { json, exitCode } = await ces(['doctor', '--json'], operator);
  expect(json<{ part: string; state: string }[]>().filter((finding) => finding.state !== 'well')).toEqual([]);
  expect(exitCode).toBe(0);
});
