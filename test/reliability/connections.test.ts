import { setTimeout as pause } from 'node:timers/promises';
import { listComponents } from '@ces/chart/components';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

// The chart budgets max_connections by the connections of each process (decision 0041).

const POOL = 2;
const CLIENTS = 6;
const CALLS_EACH = 3;
const LOOK_EVERY_MS = 20;
const SERVICES = ['ledger', 'operations', 'lookup', 'search'] as const;
const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let server: pg.Client;

beforeAll(async () => {
  const pools = Object.fromEntries(SERVICES.map((name) => [`CES_${name.toUpperCase()}_DATABASE_POOL`, String(POOL)]));
  stack = cleanup.use(await startTestStack({ env: { ...NO_FLOOD_LIMITS, ...pools } }));
  const { companies, observations } = facilities(5, 'steel works');
  await recordEvidence(stack, companies, observations);
  server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  cleanup.defer(() => server.end());
});
afterAll(() => cleanup.disposeAsync());

test.runIf(inject('poolerPort') === 0)(
  'under load a process opens no more connections than the chart counts: a server with that limit refuses none',
  async () => {
    const beside = Object.fromEntries(
      listComponents().map(({ name, connectionsBesidePool }) => [name, connectionsBesidePool]),
    );
    const limits = SERVICES.map((name) => [databaseOf(name), POOL + (beside[name] ?? 0)] as const);
    for (const [database, limit] of limits) await server.query(`alter database ${database} connection limit ${limit}`);
    const { token } = await createSubscriber(stack, { limits: AMPLE });
    const answers = Array.from({ length: CLIENTS }, (_, client) => callInTurn(token, client));
    const most = new Map<string, number>();
    let isOver = false;
    const calls = Promise.all(answers).finally(() => {
      isOver = true;
    });
    for (; !isOver; await pause(LOOK_EVERY_MS)) {
      const { rows } = await server.query<{ datname: string; open: string }>(
        `select datname, count(*) as open from pg_stat_activity where datname = any($1) group by 1`,
        [limits.map(([database]) => database)],
      );
      for (const { datname, open } of rows) most.set(datname, Math.max(most.get(datname) ?? 0, Number(open)));
    }
    expect(new Set((await calls).flat())).toEqual(new Set([200]));
    for (const [database, limit] of limits) expect(most.get(database), database).toBeLessThanOrEqual(limit);
    // The pools were full, and further connections were open.
    expect([...most.values()].every((open) => open > POOL)).toBe(true);
  },
);

async function callInTurn(token: string, client: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < CALLS_EACH; at += 1) statuses.push(await search(token, `${client}-${at}`));
  return statuses;
}

async function search(token: string, at: string): Promise<number> {
  const response = await fetch(`${stack.baseUrl}/api/companies/search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `connections-${at}`,
    },
    body: JSON.stringify({ query: 'steel works opening a facility', limit: 1 }),
  });
  await response.text();
  return response.status;
}

function databaseOf(name: (typeof SERVICES)[number]): string {
  return new URL(stack.databases[name].ownerUrl).pathname.slice(1);
}
