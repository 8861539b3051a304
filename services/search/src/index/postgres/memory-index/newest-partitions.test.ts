import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../test-support/documents.ts';
import { openMemoryIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { rankInMemory } from '../../../../test-support/rank-in-memory.ts';

// If not all partitions fit, the newest stay in memory. Searches within them are ranked there.

const OLD = '2021-05-05T00:00:00Z';
const NEW = '2026-09-09T00:00:00Z';
const SINCE = filters({ occurredAfter: instant('2026-09-01T00:00:00Z') });
const MANY = 400;

let subject: PostgresIndexUnderTest;

beforeAll(async () => {
  subject = await openMemoryIndex({ memoryIndexMib: 0.1, statementTimeoutMs: 300 });
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

async function foundInMemory(): Promise<bigint[]> {
  const { hits } = await rankInMemory(subject, () => subject.rank('battery plant', SINCE));
  return hits.map((hit) => hit.observationId);
}

test('a search within what is kept is ranked in memory', async () => {
  expect(await foundInMemory()).toEqual([1n]);
});

test('a search that looks further back is ranked by the database', async () => {
  await foundInMemory();
  const { hits } = await subject.rank('battery plant');
  expect(hits.map((hit) => hit.observationId)).toContain(1000n);
});

test('what is moved into what is kept is found there, and what is moved out of it is not', async () => {
  await foundInMemory();
  await subject.apply({
    observations: [
      observation(1000n, 100n, 'opened battery plant 0', { version: 2n, occurredAt: instant(NEW) }),
      observation(1n, 1n, 'opened a battery plant', { version: 2n, occurredAt: instant(OLD) }),
    ],
  });
  expect(await foundInMemory()).toEqual([1000n]);
  await subject.apply({
    observations: [
      observation(1000n, 100n, 'opened battery plant 0', { version: 3n, occurredAt: instant(OLD) }),
      observation(1n, 1n, 'opened a battery plant', { version: 3n, occurredAt: instant(NEW) }),
    ],
  });
  expect(await foundInMemory()).toEqual([1n]);
});

test('what is older and changes takes no room', async () => {
  await foundInMemory();
  for (let version = 4n; version < 8n; version += 1n)
    await subject.apply({
      observations: Array.from({ length: MANY }, (_, at) =>
        observation(BigInt(1_000 + at), BigInt(100 + at), `opened battery plant ${at} again`, {
          version,
          occurredAt: instant(OLD),
        }),
      ),
    });
  expect(await foundInMemory()).toEqual([1n]);
});

test('where what is written leaves no room, the memory index is loaded again', async () => {
  await foundInMemory();
  await subject.apply({
    observations: Array.from({ length: 150 }, (_, at) =>
      observation(BigInt(5_000 + at), 7n, `battery works ${at} enlarged for ever larger cells`, {
        occurredAt: instant(NEW),
      }),
    ),
  });
  expect(await foundInMemory()).toContain(1n);
});
