import { setTimeout as pause } from 'node:timers/promises';
import { startBroker } from '@ces/chassis/nats/broker';
import { createLogger } from '@ces/chassis/telemetry/log';
import { evidenceQueue } from '@ces/proto/streams';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';
import { start } from '../start.ts';

let stack: SearchStack;
beforeEach(async () => {
  stack = await startSearchStack();
});
afterEach(() => stack[Symbol.asyncDispose]());

async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean, withinMs = 120_000): Promise<T> {
  for (const deadline = performance.now() + withinMs; ; ) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${JSON.stringify(answer, withBigints)}`);
    await pause(20);
  }
}

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

async function companies(query: string): Promise<bigint[]> {
  return (await searchFor(stack, query)).companies.map((found) => found.companyId);
}

function batteries(from: number, count: number, version = 1n) {
  return Array.from({ length: count }, (_, at) =>
    observation(BigInt(from + at), BigInt(from + at), `battery plant ${from + at}`, { version }),
  );
}

test('without a message the list is read every second', async () => {
  stack.record.put({ observations: batteries(1, 1) });
  await until(
    () => companies('battery'),
    (found) => found.length === 1,
  );
});

test('a message makes it look at once', async () => {
  await using unasked = await startSearchStack({ lookEveryMs: 3_600_000 });
  const queue = evidenceQueue(unasked.natsPrefix);
  await using broker = startBroker({ natsUrl: inject('natsUrl') }, 'test', createLogger('test', 'silent'));
  let published = 0;
  await until(
    async () => {
      published += 1;
      return await broker.publish(queue, new Uint8Array(), `message ${published}`).then(
        () => true,
        () => false,
      );
    },
    (answered) => answered,
  );
  for (let round = 0; round < 5; round += 1) {
    unasked.record.put({ observations: batteries(1 + round, 1) });
    await broker.publish(queue, new Uint8Array(), `round ${round}`);
    await until(
      async () => (await searchFor(unasked, 'battery')).companies,
      (found) => found.length === round + 1,
    );
  }
});

test('a long list is applied page by page to its end', async () => {
  stack.record.put({ observations: batteries(1, 3000), companies: [company(1n, 'One')] });
  const tx = stack.record.put({ observations: batteries(3001, 2500) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  expect(await stack.admin.getIndexStatus({})).toMatchObject({ observations: 5500n, companies: 1n, lag: 0n });
});

test('waiting for a transaction that does not come ends with the deadline, and the answer contains how far the index is', async () => {
  const tx = stack.record.put({ observations: batteries(1, 1) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  const answer = await searchFor(stack, 'battery', { waitForTx: tx + 1n, timeoutMs: 2_500 });
  expect(answer.position?.tx).toBe(tx);
  expect(answer.companies).toHaveLength(1);
});

test('searches are served during a rebuild, which adds new documents and removes those that the record has lost', async () => {
  const tx = stack.record.put({ observations: batteries(1, 2500) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  stack.record.forget([1n, 2n]);
  expect((await stack.admin.rebuildIndex({})).started).toBe(true);
  expect(await companies('battery')).not.toEqual([]);
  const later = stack.record.put({ observations: batteries(9001, 1) });
  const { companies: found } = await searchFor(stack, '9001', { waitForTx: later });
  expect(found.map(({ companyId }) => companyId)).toEqual([9001n]);
  const status = await until(
    () => stack.admin.getIndexStatus({}),
    ({ rebuilding, observations }) => !rebuilding && observations === 2499n,
  );
  expect(status.lag).toBe(0n);
});

test('a restored record is read again: lost documents are dropped, and those with lower numbers are found', async () => {
  const tx = stack.record.put({ observations: batteries(1, 30, 5n) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  stack.record.forget([1n, 2n]);
  stack.record.beginEpoch(10n);
  stack.record.put({ observations: [observation(3n, 3n, 'turbine plant 3', { version: 2n }), ...batteries(9001, 1)] });
  const { lag } = await until(
    () => stack.admin.getIndexStatus({}),
    ({ rebuilding, observations }) => !rebuilding && observations === 29n,
  );
  expect(lag).toBe(0n);
  expect(await companies('turbine')).toEqual([3n]);
  expect(await companies('9001')).toEqual([9001n]);
  const later = stack.record.put({ observations: batteries(9002, 1) });
  await until(
    () => companies('9002'),
    (found) => found.length === 1,
  );
  expect(later).toBeLessThan(tx);
});

test('an index whose database was emptied starts from nothing', async () => {
  const tx = stack.record.put({ observations: batteries(1, 10) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  const owner = new pg.Client({ connectionString: stack.database.ownerUrl });
  await owner.connect();
  await owner.query('truncate indexed, entry, company_doc, company_domain');
  await owner.query('delete from feed');
  await owner.query('insert into feed default values');
  await owner.end();
  await until(
    () => stack.admin.getIndexStatus({}),
    ({ observations }) => observations === 10n,
  );
});

test('an index of the previous release is rebuilt automatically, and stays searchable meanwhile', async () => {
  const tx = stack.record.put({ observations: [observation(1n, 1n, 'A battery plant for US$2,400 million')] });
  await searchFor(stack, 'battery', { waitForTx: tx });
  const owner = new pg.Client({ connectionString: stack.database.ownerUrl });
  await owner.connect();
  await owner.query('update entry set facts = null');
  await owner.query('update feed set analysis_version = null');
  const { rowCount } = await until(
    () => owner.query('select from entry where facts is not null'),
    (found) => found.rowCount === 1,
  );
  await owner.end();
  expect(rowCount).toBe(1);
  await until(
    () => stack.admin.getIndexStatus({}),
    ({ rebuilding }) => !rebuilding,
  );
  await expect.poll(() => companies('battery plants over $2 billion')).toEqual([1n]);
});

test('of two replicas one projects, and the other takes over', async () => {
  const second = await start(stack.config, createLogger('search', 'silent'));
  const tx = stack.record.put({ observations: batteries(1, 100) });
  await searchFor(stack, 'battery', { waitForTx: tx });
  expect(stack.record.documentCalls()).toBe(1);
  await stack.stop();
  stack.record.put({ observations: batteries(101, 1) });
  await using replica = second;
  await until(
    () => searchFor({ ...stack, search: stack.clientOf(replica.url) }, '101'),
    (answer) => answer.companies.length === 1,
  );
});
