import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import { type RecordedTraces, recordTraces } from '@ces/chassis/test-support/recorded-traces';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOutside } from '../support/outside-stack.ts';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { countsOf, isWhole, type RequestCounts } from './request-counts.ts';

const FILE = path.join(import.meta.dirname, 'request-counts.json');
const UPDATE = 'CES_UPDATE_COUNTS=1 npx vitest run test/telemetry/request-counts';
const HOW = `What one request of each kind does. ${UPDATE} writes it again; the commit says why a number changed.`;
/**
 * Each request is repeated until its counts match, at most TRIES times. A retried call, a heartbeat
 * or a reconnection adds to some attempts, but not to all.
 */
const TRIES = 4;
/** How long a span that no call awaits may end after all others, in milliseconds. */
const QUIET_MS = 200;
const POLLING = { timeout: 60_000, interval: 50 };

let traces: RecordedTraces;
let stack: TestStack;
let operations: pg.Client;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  if (isOutside(process.env)) return;
  traces = await recordTraces();
  stack = await startTestStack();
  operations = new pg.Client({ connectionString: stack.databases.operations.url });
  await operations.connect();
  const { companies, observations } = facilities(12, 'glass furnace');
  recorded = await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack);
});

afterAll(async () => {
  await operations?.end();
  await stack?.[Symbol.asyncDispose]();
  await traces?.[Symbol.asyncDispose]();
});

const search = { query: 'glass furnace', limit: 2 };

/** Made one at a time, so that requests share no batch. */
const REQUESTS: Readonly<Record<string, () => Promise<Answer>>> = {
  'look-up': () => lookUp(),
  'look-up, replayed': async () => {
    const key = randomUUID();
    await untilDelivered(await lookUp(key));
    return await lookUp(key);
  },
  'search, first page': () => subscriber.search(search),
  'search, later page': async () => {
    const { body } = await untilDelivered(await subscriber.search(search));
    return await subscriber.search({ ...search, cursor: body.next_cursor });
  },
  'search in the background, from its acceptance to its delivery': async () =>
    await untilDelivered(await subscriber.search({ ...search, background: true })),
  'poll of what is delivered': async () => {
    const { body } = await untilDelivered(await subscriber.search({ ...search, background: true }));
    return await subscriber.poll(body.usage.id);
  },
};

function lookUp(key?: string): Promise<Answer> {
  return subscriber.lookUp({ ids: [recorded.companies.c1 ?? 0] }, key);
}

/** Until then, any process that reads the operation takes its next step. */
async function untilDelivered(answer: Answer): Promise<Answer> {
  const client = new pg.Client({ connectionString: stack.databases.operations.url });
  await client.connect();
  const state = async () =>
    (await client.query('select state from operation where id = $1', [answer.body.usage.id])).rows[0]?.state;
  await expect
    .poll(state, POLLING)
    .toBe('delivered')
    .finally(() => client.end());
  return answer;
}

/** The written counts if an attempt matches them, otherwise the most frequent counts. */
async function usualCounts(make: () => Promise<Answer>, written: RequestCounts | undefined): Promise<RequestCounts> {
  const tries: RequestCounts[] = [];
  while (tries.length < TRIES) {
    const counts = await countsOfOne(make);
    if (isDeepStrictEqual(counts, written)) return counts;
    tries.push(counts);
  }
  const alike = [...Map.groupBy(tries, (counts) => JSON.stringify(counts)).values()];
  const [most] = alike.toSorted((a, b) => b.length - a.length);
  return most?.[0] ?? countsOf([]);
}

async function countsOfOne(make: () => Promise<Answer>): Promise<RequestCounts> {
  const answer = await make();
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status);
  await untilDelivered(answer);
  return countsOf(await wholeTrace(answer.headers.get('traceparent')?.split('-')[1] ?? ''));
}

async function wholeTrace(traceId: string): Promise<TraceLine[]> {
  const read = async () => (await traces.spans()).filter(({ trace_id }) => trace_id === traceId);
  const atRest = async () => {
    const before = await read();
    await pause(QUIET_MS);
    return isWhole(before) && (await read()).length === before.length;
  };
  await expect.poll(atRest, POLLING).toBe(true);
  return await read();
}

test.skipIf(isOutside(process.env))(
  'a request makes the RPCs and statements that are written down, no more and no fewer',
  async () => {
    // Warms the caches of each process.
    for (const make of Object.values(REQUESTS)) await make();
    const { about: _about, ...written } = JSON.parse(await readFile(FILE, 'utf8'));
    const update = process.env.CES_UPDATE_COUNTS !== undefined;
    const seen: Record<string, RequestCounts> = {};
    for (const [name, make] of Object.entries(REQUESTS))
      seen[name] = await usualCounts(make, update ? undefined : written[name]);
    if (update) await writeFile(FILE, `${JSON.stringify({ about: HOW, ...seen }, undefined, 2)}\n`);
    else expect(seen, `A request does something else than ${FILE} says. If it is meant: ${UPDATE}`).toEqual(written);
  },
  240_000,
);
