// @module-tag nightly
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sources } from '@ces/acquisition/sources/registry';
import { type LocalServer, startLocalServer } from '@ces/acquisition/test-support/local-server';
import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import { run as runCes } from '@ces/cli/program';
import { type Stack, startStack } from '@ces/local/stack';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
import { edgesOf } from '../support/edges.ts';
import { lookUpEverything } from '../support/look-ups.ts';
import { type Answer, surface } from '../support/subscriber.ts';

const TIMEOUT_MS = 120_000;
const POLLING = { timeout: 60_000, interval: 250 };

let directory: string;
let source: LocalServer;
let stack: Stack;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-asked-'));
  source = await startLocalServer((_, response) => response.end('{"totalRecords":0,"opportunitiesData":[]}'));
  stack = await startStack({
    dataDirectory: directory,
    port: 0,
    trace: true,
    env: {
      CES_ACQUISITION_ON_DEMAND: 'true',
      CES_ACQUISITION_SCHEDULES: 'true',
      CES_ACQUISITION_ALLOWED_ADDRESSES: source.address,
      CES_ACQUISITION_MIRRORS: `api.sam.gov=${source.url}`,
      CES_SOURCE_SECRETS: 'sam_api.api_key=of-this-test',
    },
  });
  expect(await ces('source', 'enable', 'sam_api', '--reason', 'test')).toBe(0);
}, TIMEOUT_MS);

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

async function ces(...words: string[]): Promise<number> {
  const nowhere = { write: () => true } as unknown as NodeJS.WritableStream;
  const { signal } = new AbortController();
  return await runCes(words, { env: { CES_DATA_DIR: directory }, stdout: nowhere, stderr: nowhere, signal });
}

async function spansOf(answers: readonly Answer[]): Promise<TraceLine[]> {
  const ids = new Set(answers.map(traceOf));
  const lines = (await readFile(path.join(directory, 'traces.jsonl'), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line): TraceLine => JSON.parse(line)).filter(({ trace_id }) => ids.has(trace_id));
}

function traceOf({ headers }: Answer): string {
  return headers.get('traceparent')?.split('-')[1] ?? '';
}

function caller() {
  return surface(stack.ready.base_url, stack.ready.credentials.professional);
}

test('a search that is short has an edge to acquisition, and its call of the source in its trace', async () => {
  const answer = await caller().search({ query: 'quartzite zeppelin mooring', limit: 5 });
  expect(answer.status).toBe(200);
  const edges = async () => edgesOf(await spansOf([answer]));
  await expect.poll(async () => [...(await edges())], POLLING).toContain('operations > acquisition');
  expect(source.requests).toHaveLength(1);
  const asked = (await spansOf([answer])).filter(
    ({ service, attributes }) => service === 'acquisition' && 'http.request.method' in attributes,
  );
  expect(asked.map(({ kind, attributes }) => ({ kind, ...attributes }))).toEqual([
    {
      kind: 'client',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(source.url).port),
    },
  ]);
  expect(JSON.stringify(asked)).not.toContain('of-this-test');
  expect(source.requests[0]?.headers).not.toHaveProperty('traceparent');
});

test('no look-up of any sort has an edge to acquisition, nor a span of it', async () => {
  const before = source.requests.length;
  const { body } = await caller().search({ query: 'warehouse', limit: 1 });
  const [company] = body.companies;
  const [domain] = company?.domains ?? [];
  const [observation] = company?.observations ?? [];
  assert(company && domain && observation);
  const answers = await lookUpEverything(caller(), {
    companyId: company.id,
    hostname: domain.hostname,
    observationId: observation.id,
  });
  const traces = new Set(answers.map(traceOf));
  const ended = async () => new Set((await spansOf(answers)).filter(isRoot).map(({ trace_id }) => trace_id));
  await expect.poll(ended, POLLING).toEqual(traces);
  const spans = await spansOf(answers);
  const edges = edgesOf(spans);
  expect([...edges]).toEqual(
    expect.arrayContaining(['gateway > operations', 'operations > lookup', 'gateway > lookup']),
  );
  expect([...edges].filter((edge) => edge.includes('acquisition'))).toEqual([]);
  expect(spans.filter(({ service }) => service === 'acquisition')).toEqual([]);
  expect(source.requests).toHaveLength(before);
});

test('every source that is on and has a schedule shows as metrics how fresh it is and whether its form drifts', async () => {
  const scheduled = sources.filter(({ verified, schedule }) => verified && schedule).map(({ name }) => name);
  const shown = async (metric: string) => {
    const text = await (await fetch(`${stack.ready.admin.acquisition}/metrics`)).text();
    const lines = text.matchAll(new RegExp(`^${metric}\\{[^}]*source="([a-z_0-9]+)"`, 'gm'));
    return [...lines].map(([, name]) => name).sort();
  };
  expect(scheduled.length).toBeGreaterThan(3);
  for (const metric of ['ces_source_age_seconds', 'ces_source_interval_seconds', 'ces_source_drifting'])
    await expect.poll(() => shown(metric), POLLING).toEqual(scheduled.sort());
});

/** The gateway's span of a request, which ends last. */
function isRoot({ service, kind }: TraceLine): boolean {
  return service === 'gateway' && kind === 'server';
}
