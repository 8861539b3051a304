import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FakeGateway, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces } from '../../test-support/fake-stack.ts';
import { openTerminal } from '../../test-support/terminal.ts';

const USAGE = {
  id: 12,
  status: 'delivered',
  request_key: 'k',
  request_units: 1,
  delivered_units: 1,
  fresh_evidence_units: 0,
};
const ALLOWANCE = { window_seconds: 18_000, window_remaining: 1_059, weekly_remaining: 499 };
const PENDING = {
  usage: { ...USAGE, status: 'processing', request_units: 0, delivered_units: 0 },
  request_allowance: ALLOWANCE,
};
const OBSERVATION = {
  id: 31,
  kind: 'facility_expansion',
  observed_fact: 'Northwind opened a plant.',
  country: 'CA',
  occurred_at: '2026-01-01T00:00:00.000Z',
  evidence: [{ source_uri: 'https://northwind.example/news', excerpt: 'Northwind opened a plant in Guelph.' }],
};
const RESULT = {
  usage: USAGE,
  request_allowance: ALLOWANCE,
  next_cursor: 'abc',
  withheld_units: 0,
  coverage: {
    returned_companies: 1,
    available_companies: 3,
    occurred_after: '2025-12-01T00:00:00.000Z',
    stop_reason: 'page_filled',
  },
  companies: [
    {
      id: 7,
      name: 'Northwind',
      domains: [{ id: 1, hostname: 'northwind.example' }],
      demand_class: 'proxy',
      why_it_may_matter: 'A new plant needs equipment.',
      observations: [OBSERVATION],
    },
  ],
};

function envOf(gateway: FakeGateway): NodeJS.ProcessEnv {
  return { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'ces_live_x', CES_DATA_DIR: '/nonexistent' };
}

test('a search for what the record does not hold says so in a sentence', async () => {
  const coverage = { ...RESULT.coverage, limitations: ['limited_source_coverage', 'acquisitions_not_recorded'] };
  for (const companies of [[], RESULT.companies]) {
    await using gateway = await startFakeGateway(() => ({ status: 200, body: { ...RESULT, coverage, companies } }));
    const { stdout } = await ces(['search', 'mergers'], envOf(gateway));
    expect(stdout).toContain('The record does not hold mergers or acquisitions');
  }
});

test('a search sends what was asked and nothing else, with an idempotency key of its own', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  const filters = [
    '--country',
    'CA',
    '--country',
    'US',
    '--kind',
    'facility_expansion',
    '--exclude-domain',
    'b.example',
    '--company-id',
    '7',
  ];
  const { exitCode, stdout } = await ces(['search', 'new plants', '--limit', '5', ...filters], envOf(gateway));
  expect(exitCode).toBe(0);
  expect(gateway.calls[0]).toMatchObject({
    method: 'POST',
    path: '/api/companies/search',
    headers: { authorization: 'Bearer ces_live_x', 'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(gateway.calls[0]?.body).toEqual({
    query: 'new plants',
    limit: 5,
    filters: {
      countries: ['CA', 'US'],
      kinds: ['facility_expansion'],
      exclude_domains: ['b.example'],
      company_ids: [7],
    },
  });
  expect(stdout).toContain('7  Northwind  (northwind.example)');
  expect(stdout).toContain('31  facility_expansion 2026-01-01 CA: Northwind opened a plant.');
  expect(stdout).toContain('next page  --cursor abc');
});

test('a search that finds nothing says what to try, one whose companies lost their evidence does not', async () => {
  const empty = { ...RESULT, companies: [] };
  await using gateway = await startFakeGateway(() => ({ status: 200, body: empty }));
  expect((await ces(['search', 'x'], envOf(gateway))).stdout).toContain('a longer --since');
  await using withheld = await startFakeGateway(() => ({ status: 200, body: { ...empty, withheld_units: 1 } }));
  expect((await ces(['search', 'x'], envOf(withheld))).stdout).not.toContain('--occurred-after');
});

test('--json prints the body as the gateway sent it', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  expect((await ces(['search', 'x', '--json', '--key', 'mine'], envOf(gateway))).json()).toEqual(RESULT);
  expect(gateway.calls[0]?.headers['idempotency-key']).toBe('mine');
});

test('an error body is one sentence on standard error, the body itself with --json, and exit code 1', async () => {
  const body = {
    error: {
      code: 'request_limit_reached',
      message: 'The window is used up.',
      retry_at: '2026-01-01T00:00:00.000Z',
      retry_after_seconds: 12,
    },
  };
  await using gateway = await startFakeGateway(() => ({ status: 429, body }));
  const { exitCode, stderr, json } = await ces(['search', 'x', '--json'], envOf(gateway));
  expect(exitCode).toBe(1);
  expect(stderr).toBe('ces: The window is used up. Try again at 2026-01-01T00:00:00.000Z. (request_limit_reached)\n');
  expect(json()).toEqual(body);
});

test('a background search says how to wait, and waiting polls until there is a result', async () => {
  let polls = 0;
  await using gateway = await startFakeGateway(({ method }) => {
    if (method === 'GET') polls += 1;
    return polls === 3
      ? { status: 200, body: RESULT }
      : { status: 202, body: PENDING, headers: { 'retry-after': '0' } };
  });
  const begun = await ces(['search', 'x', '--background'], envOf(gateway));
  expect(gateway.calls[0]?.body).toEqual({ query: 'x', background: true });
  expect(begun.stdout).toContain('npx ces wait 12');
  const { exitCode, stdout } = await ces(['wait', '12'], envOf(gateway));
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Northwind');
  expect(polls).toBe(3);
});

test('look-ups send ids or domains, and a mixture is wrong usage', async () => {
  const body = {
    usage: USAGE,
    request_allowance: ALLOWANCE,
    companies: [],
    lookups: [{ status: 'not_found', domain: 'a.example' }],
  };
  await using gateway = await startFakeGateway(() => ({ status: 200, body }));
  const { stdout } = await ces(['lookup', 'a.example', 'b.example'], envOf(gateway));
  expect(gateway.calls[0]?.path).toBe('/api/companies?domains%5B%5D=a.example&domains%5B%5D=b.example');
  expect(stdout).toMatch(/a\.example +not_found/);
  expect(await ces(['lookup', 'a.example', '1'], envOf(gateway))).toMatchObject({ exitCode: 2 });
});

test('one observation and a feed of observations have their own routes', async () => {
  const feed = {
    usage: USAGE,
    request_allowance: ALLOWANCE,
    observations: [{ ...OBSERVATION, company: { id: 7, name: 'Northwind' } }],
  };
  await using gateway = await startFakeGateway(({ path: at }) => ({
    status: 200,
    body: at.includes('?') ? feed : { observation: OBSERVATION },
  }));
  expect((await ces(['observations', '31'], envOf(gateway))).stdout).toContain('31  facility_expansion');
  await ces(['observations', '--domain', 'a.example', '--since', '2026-01-01T00:00:00Z'], envOf(gateway));
  expect(gateway.calls.map((call) => call.path)).toEqual([
    '/api/observations/31',
    '/api/observations?domains%5B%5D=a.example&since=2026-01-01T00%3A00%3A00Z',
  ]);
  expect(await ces(['observations'], envOf(gateway))).toMatchObject({ exitCode: 2 });
});

test('a credential of a local stack is found by its name, and a wrong name lists the right ones', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-ready-'));
  const ready = { base_url: gateway.url, credentials: { builder: 'ces_live_b' } };
  await writeFile(path.join(directory, 'ready.json'), JSON.stringify(ready));
  const env = { CES_DATA_DIR: directory };
  await ces(['search', 'x', '--as', 'builder'], env);
  expect(gateway.calls[0]?.headers.authorization).toBe('Bearer ces_live_b');
  expect((await ces(['search', 'x', '--as', 'boss'], env)).stderr).toContain('choose one of builder');
  expect((await ces(['search', 'x'], env)).stderr).toContain('run npx ces login, set CES_TOKEN');
  await rm(directory, { recursive: true });
});

test('a gateway that is not there is named', async () => {
  const env = { CES_GATEWAY_URL: 'http://127.0.0.1:9', CES_TOKEN: 'x' };
  expect((await ces(['usage'], env)).stderr).toMatch(
    /^(No answer\. Retrying in \S+ s\.\n){3}ces: Nothing answers at http:\/\/127\.0\.0\.1:9: start the stack with npm start, or set CES_GATEWAY_URL\.\n$/,
  );
});

test('an answer that was lost is asked for again under the same key, and a call that stays lost names it', async () => {
  let losses = 1;
  await using gateway = await startFakeGateway(() => {
    losses -= 1;
    return { status: 200, body: RESULT, isLost: losses >= 0 };
  });
  const { exitCode, stdout } = await ces(['search', 'x'], envOf(gateway));
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Northwind')]);
  const [first, second] = gateway.calls;
  expect(second).toEqual(first);
  losses = 100;
  const lost = await ces(['search', 'x', '--key', 'mine'], envOf(gateway));
  expect(lost.exitCode).toBe(1);
  expect(lost.stderr).toContain('did not answer: try again with --key mine, which adds no charge.\n');
});

test('a terminal shows what a search can cost before it is sent, and --price sends nothing', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  const { json } = await ces(['search', 'x', '--limit', '5', '--price', '--json'], envOf(gateway));
  expect(json()).toEqual({ request_units: 1, delivered_units: 5 });
  expect((await ces(['search', 'x', '--price'], {})).stdout).toBe(
    'The search costs at most 1 request unit and 10 delivered units.\n',
  );
  expect(gateway.calls).toEqual([]);
  const { stderr } = await ces(['search', 'x', '--limit', '1'], envOf(gateway), openTerminal());
  expect(stderr).toBe('The search costs at most 1 request unit and 1 delivered unit.\n');
  expect((await ces(['search', 'x'], envOf(gateway))).stderr).toBe('');
});

test('a refusal names the flags of the verb, and --json has the body as the gateway sent it', async () => {
  const body = { error: { code: 'invalid_search', message: '`filters.domains[1]` is not a hostname: send the name.' } };
  await using gateway = await startFakeGateway(() => ({ status: 422, body }));
  const { stderr, json } = await ces(['search', 'x', '--domain', 'a.ca', '--domain', 'b', '--json'], envOf(gateway));
  expect(stderr).toBe('ces: --domain (number 2) is not a hostname: send the name. (invalid_search)\n');
  expect(json()).toEqual(body);
});

test('--since takes days before today, hours, or a timestamp, and --occurred-after is the same', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  const clock = { now: () => Date.parse('2026-11-30T15:42:31.500Z'), pause: async () => undefined };
  await ces(['search', 'x', '--since', '30d'], envOf(gateway), { clock });
  await ces(['search', 'x', '--since', '2026-01-01T00:00:00.123456Z'], envOf(gateway), { clock });
  await ces(['usages', '--since', '12h', '--until', '1h'], envOf(gateway), { clock });
  expect(gateway.calls.slice(0, 2).map(({ body }) => body)).toEqual([
    { query: 'x', filters: { occurred_after: '2026-10-31T00:00:00.000Z' } },
    { query: 'x', filters: { occurred_after: '2026-01-01T00:00:00.123456Z' } },
  ]);
  expect(gateway.calls[2]?.path).toBe(
    '/api/usages?since=2026-11-30T03%3A00%3A00.000Z&until=2026-11-30T14%3A00%3A00.000Z',
  );
  const both = ['search', 'x', '--since', '30d', '--occurred-after', '2026-01-01T00:00:00Z'];
  expect(await ces(both, envOf(gateway))).toMatchObject({ exitCode: 2 });
  expect(await ces(['search', 'x', '--since', 'monday'], envOf(gateway))).toMatchObject({ exitCode: 2 });
});

test('a key that no header can carry, and an invalid token, are refused before anything is sent', async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: RESULT }));
  expect((await ces(['search', 'x', '--key', ' '], envOf(gateway))).exitCode).toBe(2);
  const { stderr } = await ces(['usage'], { ...envOf(gateway), CES_TOKEN: 'ces_live_\u20ac' });
  expect(stderr).toBe('ces: CES_TOKEN is not an API key: it must look like ces_live_….\n');
  expect(gateway.calls).toEqual([]);
});
