import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';

// If not all partitions fit, the newest stay in memory, and answers that reach further back say so.

const OLD = '2021-05-05T00:00:00Z';
const NEW = '2026-09-09T00:00:00Z';
const SINCE = filters({ occurredAfter: instant('2026-09-01T00:00:00Z') });
const MANY = 400;

let subject: PostgresIndexUnderTest;

beforeAll(async () => {
  subject = await openPostgresIndex({ memoryIndexMib: 0.1 });
  await subject.apply({
    companies: [company(1n, 'Harbor Cells', { profile: 'Harbor Cells makes battery cells.' })],
    observations: [
      observation(1n, 1n, 'opened a battery plant', { occurredAt: instant(NEW) }),
      observation(2n, 2n, 'opened a bakery', { occurredAt: instant(NEW) }),
      ...Array.from({ length: MANY }, (_, at) =>
        observation(BigInt(1_000 + at), BigInt(100 + at), `opened battery plant ${at} in a town of its own`, {
          occurredAt: instant(OLD),
        }),
      ),
    ],
  });
});
afterAll(() => subject[Symbol.asyncDispose]());

async function found(): Promise<bigint[]> {
  const { hits, monthsLeftOut } = await subject.rank('battery plant', SINCE);
  expect(monthsLeftOut).toBe(false);
  return hits.map((hit) => hit.observationId);
}

test('a search within the retained time is complete', async () => {
  expect(await found()).toEqual([1n]);
});

test('a search that looks further back says that it was cut', async () => {
  const { hits, monthsLeftOut } = await subject.rank('battery plant');
  expect({ ids: hits.map((hit) => hit.observationId), monthsLeftOut }).toEqual({ ids: [1n], monthsLeftOut: true });
  const { leftOut, searchedFrom } = subject.memory.state();
  expect({ leftOut, isBetween: searchedFrom > OLD && searchedFrom < NEW }).toEqual({ leftOut: MANY, isBetween: true });
});

test('a document moved into the retained time is found there, and one moved out of it is not', async () => {
  await found();
  await subject.apply({
    observations: [
      observation(1000n, 100n, 'opened battery plant 0', { version: 2n, occurredAt: instant(NEW) }),
      observation(1n, 1n, 'opened a battery plant', { version: 2n, occurredAt: instant(OLD) }),
    ],
  });
  expect(await found()).toEqual([1000n]);
  await subject.apply({
    observations: [
      observation(1000n, 100n, 'opened battery plant 0', { version: 3n, occurredAt: instant(OLD) }),
      observation(1n, 1n, 'opened a battery plant', { version: 3n, occurredAt: instant(NEW) }),
    ],
  });
  expect(await found()).toEqual([1n]);
});

test('changes of older documents use no memory', async () => {
  await found();
  for (let version = 4n; version < 8n; version += 1n)
    await subject.apply({
      observations: Array.from({ length: MANY }, (_, at) =>
        observation(BigInt(1_000 + at), BigInt(100 + at), `opened battery plant ${at} again`, {
          version,
          occurredAt: instant(OLD),
        }),
      ),
    });
  expect(await found()).toEqual([1n]);
});

test('where what is written leaves no room, the oldest months go', async () => {
  const months = ['2026-09-09', '2026-10-09', '2026-11-09'];
  for (const [month, day] of months.entries())
    await subject.apply({
      observations: Array.from({ length: 150 }, (_, at) =>
        observation(BigInt(5_000 + month * 1_000 + at), 7n, `battery works ${at} enlarged for ever larger cells`, {
          occurredAt: instant(`${day}T00:00:00Z`),
        }),
      ),
    });
  const newest = await subject.rank('works', filters({ occurredAfter: instant('2026-11-01T00:00:00Z') }));
  expect({ found: newest.hits.length, monthsLeftOut: newest.monthsLeftOut }).toEqual({
    found: 3,
    monthsLeftOut: false,
  });
  const older = await subject.rank('opened', SINCE);
  expect({ found: older.hits.length, monthsLeftOut: older.monthsLeftOut }).toEqual({ found: 0, monthsLeftOut: true });
  const { leftOut, searchedFrom } = subject.memory.state();
  expect({ isMore: leftOut > MANY, isLater: searchedFrom > NEW }).toEqual({ isMore: true, isLater: true });
});
