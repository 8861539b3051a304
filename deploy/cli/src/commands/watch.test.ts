import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, type Reply, type SeenCall, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces, type Outcome } from '../../test-support/fake-stack.ts';
import { openTerminal } from '../../test-support/terminal.ts';

const MINUTE_MS = 60_000;
const BEGIN = Date.parse('2026-03-01T12:00:00.000Z');
const ALLOWANCE = { window_seconds: 18_000, window_remaining: 9, weekly_remaining: 99 };

let directory: string;
let now: number;
let answers: ((call: SeenCall) => Reply)[];
let gateway: FakeGateway;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-watch-'));
  now = BEGIN;
  answers = [];
  gateway = await startFakeGateway((call) => (answers.shift() ?? (() => found([])))(call));
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** Runs `rounds` rounds of a watch. Only the watch's own pauses advance the clock. */
async function watchRounds(rounds: number, ...argv: string[]): Promise<Outcome> {
  const interrupt = new AbortController();
  const clock = {
    now: () => now,
    async pause(ms: number) {
      now += ms;
      if (gateway.calls.length >= rounds) interrupt.abort();
    },
  };
  const env = { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'x', CES_DATA_DIR: '/nonexistent' };
  return await ces(['watch', ...argv, '--yes'], env, { clock, signal: interrupt.signal });
}

function found(ids: readonly number[], nextCursor: string | null = null): Reply {
  const observed_at = new Date(now).toISOString();
  const companies = ids.map((id) => ({
    ...{ id: id + 100, name: `Company ${id}`, domains: [] },
    observations: [
      { ...observation(id), observed_at },
      { ...observation(9000 + id), observed_at: '2020-01-01T00:00:00Z' },
    ],
  }));
  const usage = { request_units: 1, delivered_units: ids.length, fresh_evidence_units: 0 };
  return {
    status: 200,
    body: {
      usage: { id: 1, status: 'delivered', request_key: 'k', ...usage },
      ...{ request_allowance: ALLOWANCE, as_of: observed_at, next_cursor: nextCursor, coverage: {}, companies },
    },
  };
}

function observation(id: number) {
  return { id, kind: 'funding_round', observed_fact: `Fact ${id}.`, country: 'CA', occurred_at: null, evidence: [] };
}

function refused(status: number, code: string, more: object = {}): Reply {
  return { status, body: { error: { code, message: `It is ${code}.`, ...more } } };
}

const keys = () => gateway.calls.map(({ headers }) => headers['idempotency-key']);
const filters = () => gateway.calls.map(({ body }) => (body as { filters: unknown }).filters);
const shownIn = ({ stdout }: Outcome) => stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line).id] : []));

test('each new observation is shown once as a line of JSON, and the next round asks for what was collected since', async () => {
  answers = [() => found([1]), () => found([1, 2])];
  const outcome = await watchRounds(2, 'plants', '--json', '--country', 'CA', '--every', '15m');
  expect(outcome.exitCode).toBe(0);
  expect(shownIn(outcome)).toEqual([1, 2]);
  expect(JSON.parse(outcome.stdout.split('\n')[0] ?? '')).toMatchObject({
    id: 1,
    company: { id: 101, name: 'Company 1' },
  });
  expect(filters()).toEqual([
    { countries: ['CA'], observed_after: '2026-03-01T11:45:00.000Z' },
    // Ten minutes before the previous answer: records collected then may have been stored later.
    { countries: ['CA'], observed_after: '2026-03-01T11:50:00.000Z' },
  ]);
  expect(new Set(keys()).size).toBe(2);
  expect(outcome.stderr).toContain('Stopped after 2 finished rounds; spent 2 request units and 3 delivered units.\n');
});

test('all pages of a round are requested, each with its own key, and the next round begins where the first one began', async () => {
  answers = [() => found([1], 'two'), () => found([2])];
  const outcome = await watchRounds(3, 'plants', '--json');
  expect(shownIn(outcome)).toEqual([1, 2]);
  const [first, second] = keys();
  expect(second).toBe(`${first}/2`);
  expect(gateway.calls[1]?.body).toMatchObject({ cursor: 'two', limit: 25, filters: filters()[0] });
});

test('the price is said before anything is sent, and without a terminal only --yes agrees to it', async () => {
  const env = { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'x' };
  const price =
    'A round every 15 minutes costs 1 request unit if nothing is new, otherwise at most 4 request units and 100 delivered units. ' +
    'A day costs 96 request units and 0 delivered units if nothing is new, otherwise at most 384 request units and 9,600 delivered units.';
  const alone = await ces(['watch', 'plants'], env);
  expect([alone.exitCode, alone.stderr]).toEqual([2, `ces: ${price} Add --yes to agree.\n`]);
  const terminal = openTerminal();
  const [outcome] = await Promise.all([ces(['watch', 'plants'], env, terminal), terminal.answer('Begin?', 'n')]);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stderr.startsWith(`${price}\n`)).toBe(true);
  expect(outcome.stderr).toContain('ces: You did not agree to the price. Nothing was spent.\n');
  expect(gateway.calls).toEqual([]);
});

test('more than --max-units is never spent: a page is made smaller, and one that could cost too much is not asked for', async () => {
  answers = [() => found([1, 2, 3]), () => found([4])];
  const outcome = await watchRounds(99, 'plants', '--json', '--max-units', '7');
  expect(gateway.calls.map(({ body }) => (body as { limit: number }).limit)).toEqual([6, 2]);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr).toContain('The next page could cost more than what is left of --max-units 7.\n');
  expect(outcome.stderr).toContain('spent 2 request units and 4 delivered units.\n');
});

test('a later page that could cost too much ends the watch, since its size follows the first page', async () => {
  answers = [() => found([1, 2, 3], 'two')];
  const outcome = await watchRounds(99, 'plants', '--limit', '3', '--max-units', '7');
  expect(gateway.calls).toHaveLength(1);
  expect(outcome.stderr).toContain('spent 1 request unit and 3 delivered units.\n');
});

test('a limit that is reached is waited for, and the same key goes on', async () => {
  answers = [() => refused(429, 'request_limit_reached', { retry_after_seconds: 7_200 }), () => found([1])];
  const outcome = await watchRounds(2, 'plants', '--json');
  expect(shownIn(outcome)).toEqual([1]);
  expect(keys()[1]).toBe(keys()[0]);
  expect(outcome.stderr).toContain('It is request_limit_reached. The watch continues at 2026-03-01T14:00:00.000Z.\n');
  expect(now).toBe(Date.parse('2026-03-01T14:15:00.000Z'));
});

test('a limit is waited for by its length, at least a second, because the clock of this machine may be fast', async () => {
  const retry_at = '2026-03-01T11:00:00.000Z';
  answers = [
    () => refused(429, 'request_limit_reached', { retry_at, retry_after_seconds: 60 }),
    () => refused(429, 'request_limit_reached', { retry_at, retry_after_seconds: 0 }),
    () => found([1]),
  ];
  const times: number[] = [];
  answers = answers.map((answer) => (call) => {
    times.push(now - BEGIN);
    return answer(call);
  });
  await watchRounds(3, 'plants', '--json');
  expect(times).toEqual([0, 60_000, 61_000]);
  expect(new Set(keys()).size).toBe(1);
});

test('a round that failed for good starts again with another key, and an error that a person must fix ends the watch', async () => {
  answers = [() => refused(422, 'planning_unavailable'), () => refused(402, 'subscription_required')];
  const outcome = await watchRounds(9, 'plants');
  expect(new Set(keys()).size).toBe(2);
  expect(filters()[1]).toEqual(filters()[0]);
  expect([outcome.exitCode, outcome.stderr]).toEqual([1, expect.stringContaining('(subscription_required)\n')]);
});

test('a restart shows nothing twice, pays for nothing twice and keeps to its interval', async () => {
  const file = path.join(directory, 'plants.json');
  answers = [() => found([1])];
  await watchRounds(1, 'plants', '--state', file, '--json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  now = BEGIN + 5 * MINUTE_MS;
  answers = [() => found([1, 2])];
  const again = await watchRounds(2, 'plants', '--state', file, '--json');
  expect(shownIn(again)).toEqual([2]);
  expect(again.stderr).toContain('Stopped after 2 finished rounds; spent 2 request units and 3 delivered units.\n');
  expect(filters()[1]).toEqual({ observed_after: '2026-03-01T11:50:00.000Z' });
});

test('a request in flight at a kill is sent again under the same key', async () => {
  const file = path.join(directory, 'plants.json');
  answers = Array.from({ length: 4 }, () => () => ({ status: 200, body: {}, isLost: true }));
  await watchRounds(4, 'plants', '--state', file);
  expect(await readFile(file, 'utf8')).toContain(String(keys()[0]));
  answers = [() => found([1])];
  await watchRounds(5, 'plants', '--state', file);
  expect(new Set(keys()).size).toBe(1);
  expect(new Set(filters().map((one) => JSON.stringify(one))).size).toBe(1);
});

test('the state of another watch, and a file without a state, are refused', async () => {
  const file = path.join(directory, 'plants.json');
  await watchRounds(1, 'plants', '--state', file);
  expect((await watchRounds(9, 'tenders', '--state', file)).stderr).toContain('belongs to another watch');
  await writeFile(file, 'mine');
  expect((await watchRounds(9, 'plants', '--state', file)).stderr).toContain('is not a state file of a watch');
  expect(gateway.calls).toHaveLength(1);
});

test('without a query the companies of some websites are watched, to the instant and for a unit a round', async () => {
  const feed = (): Reply => ({
    status: 200,
    body: {
      usage: {
        id: 1,
        status: 'delivered',
        request_key: 'k',
        request_units: 1,
        delivered_units: 1,
        fresh_evidence_units: 0,
      },
      ...{ request_allowance: ALLOWANCE, as_of: '2026-03-01T12:00:01.000Z', next_cursor: null, domains: [] },
      observations: [{ ...observation(1), observed_at: '2020-01-01T00:00:00Z', company: { id: 7, name: 'Acme' } }],
    },
  });
  answers = [feed, () => ({ ...feed(), body: { ...(feed().body as object), observations: [] } })];
  const outcome = await watchRounds(2, '--domain', 'acme.example', '--every', '1d');
  expect(outcome.stdout).toBe('1  funding_round undated CA of 7 Acme: Fact 1.\n');
  expect(gateway.calls.map((call) => new URL(call.path, gateway.url).searchParams.get('since'))).toEqual([
    '2026-02-28T12:00:00.000Z',
    '2026-03-01T12:00:01.000Z',
  ]);
  expect(outcome.stderr).toContain('at most 1 request unit and 1 delivered unit for each 100 observations');
});

test('an interval below a minute, nothing to watch, and filters without a query are wrong usage', async () => {
  for (const argv of [
    ['plants', '--every', '30s'],
    ['plants', '--every', '8d'],
    [],
    ['--domain', 'a.example', '--kind', 'x'],
  ])
    expect((await watchRounds(1, ...argv)).exitCode).toBe(2);
  expect(gateway.calls).toEqual([]);
});
