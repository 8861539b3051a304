import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { drawnExpressions, ruleExpressions, scalingExpressions } from '@ces/chart/test-support/expressions';
import { isAnswered, parseScrape } from '@ces/chart/test-support/scrape';
import { selectorsOf } from '@ces/chart/test-support/selectors';
import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import { run as runCes } from '@ces/cli/program';
import { type Stack, startStack } from '@ces/local/stack';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgesOf } from '../support/edges.ts';
import { surface } from '../support/subscriber.ts';

const TIMEOUT_MS = 120_000;
const POLLING = { timeout: 60_000, interval: 250 };

let directory: string;
let stack: Stack;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-trace-'));
  stack = await startStack({
    dataDirectory: directory,
    port: 0,
    trace: true,
    // By default the first comparison ends five minutes after the start.
    env: { CES_OPERATIONS_RECONCILE_MS: '500' },
  });
}, TIMEOUT_MS);

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

async function spans(): Promise<TraceLine[]> {
  const text = await readFile(path.join(directory, 'traces.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function spansOf(traceId: string): Promise<TraceLine[]> {
  return (await spans()).filter(({ trace_id }) => trace_id === traceId);
}

function caller() {
  return surface(stack.ready.base_url, stack.ready.credentials.professional);
}

function traceOf(headers: Headers): string {
  return headers.get('traceparent')?.split('-')[1] ?? '';
}

test('a search is one trace through every process and statement', async () => {
  const traceId = randomBytes(16).toString('hex');
  const answer = await caller().request('POST', '/api/companies/search', {
    json: { query: 'warehouse', limit: 2 },
    key: randomUUID(),
    headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
  });
  expect(answer.status).toBe(200);
  expect(traceOf(answer.headers)).toBe(traceId);
  const edges = async () => [...edgesOf(await spansOf(traceId))].sort();
  await expect
    .poll(edges, POLLING)
    .toEqual([
      'gateway > ledger',
      'gateway > operations',
      'ledger > postgres ledger',
      'lookup > postgres lookup',
      'operations > ledger',
      'operations > lookup',
      'operations > postgres operations',
      'operations > search',
      'search > postgres search',
    ]);
  /* The edges may be complete before the root span is written. */
  const root = async () => (await spansOf(traceId)).find(({ name }) => name === 'POST /api/companies/search');
  await expect
    .poll(async () => (await root())?.attributes, POLLING)
    .toMatchObject({
      'http.response.status_code': 200,
      'ces.operation_id': String(answer.body.usage.id),
      'ces.request_id': answer.headers.get('x-request-id'),
    });
});

test('a trace shows how long a search plans, embeds its query and ranks', async () => {
  const answer = await caller().search({ query: 'warehouse', limit: 2 });
  const names = async () => (await spansOf(traceOf(answer.headers))).map(({ name }) => name);
  const steps = ['plan query', 'embed query', 'rank companies'];
  await expect.poll(names, POLLING).toEqual(expect.arrayContaining(steps));
});

test('a background search goes on in the trace of its acceptance, through the message and the worker', async () => {
  const answer = await caller().search({ query: 'warehouse', limit: 2, background: true });
  expect(answer.status).toBe(202);
  await expect.poll(async () => (await caller().poll(answer.body.usage.id)).status, POLLING).toBe(200);
  const edges = async () => edgesOf(await spansOf(traceOf(answer.headers)));
  await expect.poll(async () => (await edges()).has('operations > search'), POLLING).toBe(true);
  expect([...(await edges())]).toContain('operations > lookup');
});

test('new evidence wakes the index within its trace, and only edges of the architecture are ever seen', async () => {
  await caller().report();
  await caller().request('GET', '/api/observations/1');
  const all = async () => edgesOf(await spans());
  await expect.poll(async () => [...(await all())], POLLING).toContain('lookup > nats > search');
  expect([...(await all())].filter((edge) => !ARCHITECTURE.has(edge))).toEqual([]);
});

const DATABASES = ['ledger', 'operations', 'search', 'lookup', 'acquisition'];
const ARCHITECTURE = new Set([
  ...['gateway > operations', 'gateway > ledger', 'gateway > lookup'],
  ...['operations > ledger', 'operations > search', 'operations > lookup', 'operations > acquisition'],
  ...['search > lookup', 'acquisition > lookup', 'operations > nats > operations', 'lookup > nats > search'],
  ...DATABASES.map((name) => `${name} > postgres ${name}`),
]);

test('a tool call goes on in the trace that its message names', async () => {
  const traceId = randomBytes(16).toString('hex');
  const answer = await caller().request('POST', '/mcp', {
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'get_companies',
        arguments: { ids: [1], request_key: randomUUID() },
        _meta: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
      },
    },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  });
  expect(answer.body.result.isError).toBeFalsy();
  const services = async () => new Set((await spansOf(traceId)).map(({ service }) => service));
  await expect.poll(services, POLLING).toEqual(new Set(['gateway', 'operations', 'lookup', 'ledger']));
});

/**
 * Series that a healthy stack without Internet access and OpenSearch lacks: faults, sources,
 * certificates (certificates.test.ts), and metrics of Prometheus and other exporters.
 */
const ABSENT_IN_HEALTH =
  /^ours$|^failed$|^ces_source_|^ces_search_engine_|^ces_certificate_|^up$|^ces:|^(kube|kubelet|cnpg|barman)_/;
/** Labels that the scraper adds to every series. */
const OF_THE_TARGET: ReadonlySet<string> = new Set(['namespace', 'release', 'service']);

test('every graph, every rule and every metric to scale by finds its series in the metrics of the stack', async () => {
  await caller().search({ query: 'warehouse' });
  await caller().lookUp({ ids: [1] });
  await caller().poll(999_999);
  const expressions = [...drawnExpressions(), ...ruleExpressions(), ...(await scalingExpressions())];
  const missing = async () => {
    const texts = await Promise.all(
      Object.values(stack.ready.admin).map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    const scrape = texts.flatMap(parseScrape);
    return expressions.flatMap(({ of, expr }) =>
      selectorsOf(expr)
        .filter(
          ({ metric, matchers }) =>
            ![metric, ...matchers.map(({ value }) => value)].some((one) => ABSENT_IN_HEALTH.test(one)),
        )
        .map(({ metric, matchers }) => ({
          metric,
          matchers: matchers.filter(({ label }) => !OF_THE_TARGET.has(label)),
        }))
        .filter((selector) => !isAnswered(selector, scrape))
        .map((selector) => ({ of, selector })),
    );
  };
  expect(expressions.length).toBeGreaterThan(40);
  await expect.poll(missing, POLLING).toEqual([]);
});

test('a call over gRPC is counted where it arrives, and one of the gateway only there', async () => {
  const shown = async () => {
    const scrape = parseScrape(await (await fetch(`${stack.ready.admin.operations}/metrics`)).text());
    return scrape
      .filter(({ metric }) => metric === 'ces_call_duration_seconds_count')
      .map(({ labels: { surface, action, mode, outcome } }) => [surface, action, mode, outcome].join(' '))
      .sort();
  };
  await caller().lookUp({ ids: [1] });
  expect(await shown()).toEqual([]);
  const { submitCompanyLookup, getOperation } = createClient(
    OperationsService,
    createGrpcTransport({ baseUrl: String(stack.ready.rpc.operations) }),
  );
  const options = { headers: { authorization: `Bearer ${stack.ready.credentials.professional}` } };
  const request = { requestKey: randomUUID(), input: { ids: [1n] } };
  const { answer } = await submitCompanyLookup(request, options);
  await getOperation({ operationId: answer?.usage?.id ?? 0n }, options);
  await expect(submitCompanyLookup({ ...request, input: { ids: [2n] } }, options)).rejects.toThrow();
  expect(await shown()).toEqual([
    'grpc company_lookup front client',
    'grpc company_lookup front ok',
    'grpc usage poll ok',
  ]);
});

test('the logs of a whole run carry trace ids, and no token, query text or excerpt', async () => {
  const query = 'warehouse expansion of quartzite';
  const found = await caller().search({ query, limit: 5 });
  await caller().search({ query, background: true });
  await caller().search({ query: `-"${query}" "` });
  const excerpts: string[] = found.body.companies.flatMap(
    (company: { observations: { evidence: { excerpt: string }[] }[] }) =>
      company.observations.flatMap(({ evidence }) => evidence.map(({ excerpt }) => excerpt)),
  );
  const logs = path.join(directory, 'logs');
  const read = async () =>
    (await Promise.all((await readdir(logs)).map((file) => readFile(path.join(logs, file), 'utf8')))).join('\n');
  await expect.poll(read, POLLING).toContain(traceOf(found.headers));
  const text = await read();
  const secrets = [...Object.values(stack.ready.credentials), query, 'quartzite', ...excerpts];
  expect(excerpts.length).toBeGreaterThan(0);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('ces trace shows a request as a waterfall', async () => {
  const answer = await caller().lookUp({ ids: [1] });
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WritableStream;
  const world = {
    env: { CES_DATA_DIR: directory },
    stdout: stream,
    stderr: stream,
    signal: new AbortController().signal,
  };
  const waterfall = async () => {
    lines.length = 0;
    await runCes(['trace', String(answer.headers.get('x-request-id'))], world);
    return lines.join('');
  };
  await expect
    .poll(waterfall, POLLING)
    .toMatch(
      /gateway +GET \/api\/companies \(200\)\n.*gateway +→ OperationsService\/SubmitCompanyLookup\n.*ledger +→ commit/s,
    );
});
