import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { startProxy } from '@ces/test/support/faulty-proxy.ts';
import { seeded } from '@ces/test/support/random.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import type { Candidacy } from './lead.ts';
import { startLeaderTask } from './leader-task.ts';
import { createLeases, type Leases } from './lease.ts';
import { acquireOrRenewLease } from './lease-row.ts';
import { createPool, type Pool } from './pool.ts';

const LEASE = { leadLeaseMs: 600, leadRenewalMs: 200 };
const ENDED = `clock_timestamp() - interval '1 second'`;
const logger = createLogger('test', 'silent');
let database: TestDatabase;
let db: Pool;

beforeAll(async () => {
  database = await createTestDatabase('ledger');
  db = createPool({ connectionString: database.ownerUrl, max: 4, applicationName: 'test', logger });
});
afterAll(async () => {
  await db.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => void (await db.query('truncate lease')));

test('one of two holders has the lease, and the other only once it has ended', async () => {
  expect(await take('one')).toBe(1n);
  expect(await take('other')).toBe(undefined);
  expect(await take('one')).toBe(1n);
  await setEnd(ENDED);
  expect(await take('other')).toBe(2n);
  expect(await take('one')).toBe(undefined);
});

test('a holder that renews too late has a new fence, so that it knows of others in between', async () => {
  expect(await take('one')).toBe(1n);
  await setEnd(ENDED);
  expect(await take('one')).toBe(2n);
});

test('a lease that ends later than any lease can is acquired: the clock of the database was set back', async () => {
  await take('one');
  await setEnd(`clock_timestamp() + interval '5 minutes'`);
  expect(await take('other')).toBe(2n);
});

test('exactly one of many concurrent candidates gets it, in every round', async () => {
  for (let round = 1n; round <= 20n; round += 1n) {
    const fences = await Promise.all([...'abcdefgh'].map((holder) => take(holder)));
    expect(fences.filter((fence) => fence !== undefined)).toEqual([round]);
    await setEnd(ENDED);
  }
});

test('one process leads, and gives the lead back when it ends', async () => {
  const one = campaign(leasesOf());
  await expect.poll(() => one.lead?.fence).toBe(1n);
  const other = campaign(leasesOf({ leadLeaseMs: 20_000, leadRenewalMs: 300 }));
  await one[Symbol.asyncDispose]();
  expect(one.lead).toBe(undefined);
  await expect.poll(() => other.lead?.fence).toBe(2n);
});

test('a process whose connections fall silent knows that it no longer leads, and another one leads', async () => {
  const url = new URL(database.url);
  await using proxy = await startProxy(Number(url.port), seeded('1'));
  url.port = String(proxy.port);
  const cutOff = campaign(leasesOf({}, url.href));
  await expect.poll(() => cutOff.lead?.fence).toBe(1n);
  const lead = cutOff.lead;
  const other = campaign(leasesOf());
  proxy.fault = { kind: 'half open' };
  await expect.poll(() => other.lead?.fence).toBe(2n);
  expect(cutOff.lead).toBe(undefined);
  expect(lead?.signal.reason).toMatchObject({ name: 'LeadLost' });
});

test('a process goes on leading while every connection of the pool it works with is taken', async () => {
  const leases = leasesOf();
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'test', logger });
  onTestFinished(() => pool.end());
  const taken = await pool.connect();
  const one = campaign(leases);
  await expect.poll(() => one.lead?.fence).toBe(1n);
  const first = await endOf();
  await expect.poll(async () => (await endOf()) > first + 2 * LEASE.leadLeaseMs).toBe(true);
  expect(one.lead?.fence).toBe(1n);
  taken.release();
});

test('work runs in the process that leads, with a signal that aborts when another has taken the lead', async () => {
  const passes: { readonly fence: bigint; readonly signal: AbortSignal }[] = [];
  let ends = 0;
  await using task = startLeaderTask(leasesOf(), {
    name: 'test',
    lease: 'test',
    everyMs: 10,
    immediately: true,
    logger,
    run: async (lead) => {
      passes.push(lead);
      // Still runs when the lead is lost.
      if (passes.length === 1) await new Promise((resolve) => lead.signal.addEventListener('abort', resolve));
    },
    onEnd: async () => {
      ends += 1;
    },
  });
  await expect.poll(() => passes.length).toBe(1);
  await db.query(`update lease set holder = 'another', fence = 2, until = clock_timestamp() + interval '1 second'`);
  await expect.poll(() => passes.length).toBeGreaterThan(2);
  expect(passes[0]?.signal.aborted).toBe(true);
  expect(passes.slice(1).every(({ fence }) => fence === 3n)).toBe(true);
  expect(ends).toBe(1);
  await task[Symbol.asyncDispose]();
  expect(ends).toBe(2);
  expect(await take('next')).toBe(4n);
});

function leasesOf(options: Partial<typeof LEASE> = {}, databaseUrl = database.url): Leases {
  const leases = createLeases({ ...LEASE, ...options, databaseUrl, applicationName: 'test', logger });
  onTestFinished(() => leases[Symbol.asyncDispose]());
  return leases;
}

test('candidates for one name in a process share its lease, and the last one releases it', async () => {
  const leases = leasesOf();
  const told: string[] = [];
  const seekAs = (who: string) =>
    leases.campaign('test', { onLead: () => told.push(`${who} leads`), onLost: () => told.push(`${who} lost`) });
  const first = seekAs('first');
  await expect.poll(() => first.lead?.fence).toBe(1n);
  const second = seekAs('second');
  expect(second.lead?.fence).toBe(1n);
  await expect.poll(() => told).toEqual(['first leads', 'second leads']);
  await first[Symbol.asyncDispose]();
  expect(second.lead?.fence).toBe(1n);
  expect(await take('other')).toBe(undefined);
  await setEnd(`clock_timestamp() + interval '1 second'`, 'other');
  await expect.poll(() => told).toEqual(['first leads', 'second leads', 'second lost']);
  await expect.poll(() => second.lead?.fence).toBe(2n);
  await second[Symbol.asyncDispose]();
  expect(await take('other')).toBe(3n);
});

test('a candidate that comes while the last leader releases its lease keeps what it acquires', async () => {
  const leases = leasesOf();
  for (let round = 0; round < 10; round += 1) {
    const first = campaign(leases);
    await expect.poll(() => first.lead, { interval: 5 }).toBeDefined();
    const ending = first[Symbol.asyncDispose]();
    const second = campaign(leases);
    await ending;
    await expect.poll(() => second.lead, { interval: 1 }).toBeDefined();
    expect(await take('other')).toBe(undefined);
    await second[Symbol.asyncDispose]();
  }
});

test('every lease has a holder of its own, in one process too', async () => {
  const [leases, others] = [leasesOf(), leasesOf()];
  const candidacies = [campaign(leases, 'a'), campaign(leases, 'b'), campaign(others, 'c')];
  await expect.poll(() => candidacies.every(({ lead }) => lead)).toBe(true);
  const { rows } = await db.query<{ holder: string }>('select holder from lease order by name');
  expect(new Set(rows.map(({ holder }) => holder)).size).toBe(3);
});

function campaign(leases: Leases, name = 'test'): Candidacy {
  const candidacy = leases.campaign(name, { onLead: () => undefined, onLost: () => undefined });
  onTestFinished(() => candidacy[Symbol.asyncDispose]());
  return candidacy;
}

function take(holder: string): Promise<bigint | undefined> {
  return acquireOrRenewLease(db, 'test', holder, 10_000);
}

async function setEnd(instant: string, holder?: string): Promise<void> {
  await db.query(`update lease set until = ${instant}, holder = coalesce($1, holder)`, [holder]);
}

async function endOf(): Promise<number> {
  const { rows } = await db.query<{ until: Date }>('select until from lease');
  return Number(rows[0]?.until);
}
