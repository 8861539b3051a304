// @module-tag nightly
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type Arena, startArena } from '../lab/drills/survival/arena.ts';
import { EDGES } from '../lab/drills/survival/edges.ts';
import { loseConnections, type Survival } from '../lab/drills/survival/lose-connections.ts';
import { search } from '../lab/load/client.ts';
import { WORDS } from '../lab/load/evidence.ts';
import { seeded } from '../support/random.ts';

// The small version of `npm run lab -- survival`: all connections at once.
const seed = process.env.CES_TEST_SEED ?? String(Date.now());
const AGAIN_WITHIN_MS = 15_000;
const PROBED_WITHIN_MS = 2_000;

let arena: Arena;

beforeAll(async () => {
  arena = await startArena(seeded(seed));
});
afterAll(() => arena[Symbol.asyncDispose]());

test('all connections to databases, broker and peers are lost without a word, and every service answers again within 15 s', async () => {
  onTestFailed(() => console.error(`repeat with CES_TEST_SEED=${seed}`));
  const survivals = await loseConnections(arena, EDGES, 'lost');
  expect(survivals.filter(isTooLate)).toEqual([]);
  // Otherwise no connection in use was lost, and the test proves nothing.
  expect(Math.max(...survivals.map(({ failedCalls }) => failedCalls))).toBeGreaterThan(0);
});

test('a primary that turns read-only is 503 to callers and not ready, and all work again when it takes writes', async () => {
  const services = arena.cluster.services.filter(({ name }) => !name.startsWith('gateway'));
  const readiness = () => Promise.all(services.map(({ current }) => readinessOf(current.adminUrl)));
  const call = async () => (await search(arena.door, { query: WORDS[0], limit: 2 }, randomUUID())).outcome;
  const statuses = new Set<number | string>();
  const status = async () => {
    const outcome = await call();
    const seen = outcome.kind === 'answer' ? outcome.status : outcome.reason;
    statuses.add(seen);
    return seen;
  };
  await setReadOnly('on');
  await expect.poll(status).toBe(503);
  await expect.poll(readiness).toEqual(services.map(() => [503, 'not ready: the database takes no writes\n']));
  await setReadOnly('off');
  await expect.poll(readiness).toEqual(services.map(() => [200, 'ready: the database answers\n']));
  await expect.poll(status).toBe(200);
  expect([...statuses].filter((seen) => ![200, 202, 503].includes(Number(seen)))).toEqual([]);
});

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: arena.cluster.servers.postgres.current.superuserUrl('postgres') });
  await client.connect();
  await client.query(`alter system set default_transaction_read_only = ${value}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

async function readinessOf(adminUrl: string): Promise<readonly [number, string]> {
  const response = await fetch(new URL('/readyz', adminUrl));
  return [response.status, await response.text()];
}

function isTooLate({ callsAgainMs, readyAgainMs, slowestProbeMs, notAlive }: Survival): boolean {
  return Math.max(callsAgainMs, readyAgainMs) > AGAIN_WITHIN_MS || slowestProbeMs > PROBED_WITHIN_MS || notAlive > 0;
}
