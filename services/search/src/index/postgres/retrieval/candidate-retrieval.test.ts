import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';

const BUDGET = 20;
const OBSERVATIONS = 400;

let subject: PostgresIndexUnderTest;
beforeEach(async () => {
  subject = await openPostgresIndex({ matchBudget: BUDGET, windowMatchBudget: BUDGET });
});
afterEach(() => subject[Symbol.asyncDispose]());

async function fill(wordsOf: (at: number) => string, kindOf: (at: number) => Kind): Promise<void> {
  const observations = Array.from({ length: OBSERVATIONS }, (_, at) =>
    observation(BigInt(at + 1), BigInt(at + 1), `${wordsOf(at)} number${at}`, { kind: kindOf(at) }),
  );
  await subject.apply({ observations });
}

test('what has several words that are too frequent to retrieve by themselves is found', async () => {
  const wordsOf = (at: number) =>
    `${at < 2 ? 'hemp' : ''} ${at < 40 ? 'zinc' : ''} ${at === 39 || at > 360 ? 'foundry' : ''}`;
  await fill(wordsOf, () => Kind.FACILITY_EXPANSION);
  const ranking = await subject.rank('hemp zinc foundry');
  expect(ranking.droppedTerms).toEqual(['zinc', 'foundry']);
  expect(ranking.hits.map((hit) => hit.observationId)).toEqual([1n, 2n, 40n]);
});

test('a word retrieves inside filters that would match too much without them', async () => {
  const isOpening = (at: number) => at % 40 === 0;
  const wordsOf = (at: number) => `${at < 2 ? 'hemp' : ''} ${at % 10 === 0 ? 'zinc' : ''}`;
  await fill(wordsOf, (at) => (isOpening(at) ? Kind.FACILITY_EXPANSION : Kind.PARTNERSHIP));
  const openings = filters({ kinds: [Kind.FACILITY_EXPANSION] });
  expect((await subject.rank('hemp zinc')).droppedTerms).toEqual(['zinc']);
  const inside = await subject.rank('hemp zinc', openings);
  expect(inside.droppedTerms).toEqual([]);
  expect(inside.hits).toHaveLength(OBSERVATIONS / 40);
});

test('a word that too many have is looked for where the place is', async () => {
  await using small = await openPostgresIndex({ matchBudget: 3, windowMatchBudget: 3 });
  const mills = Array.from({ length: 40 }, (_, at) => at + 1);
  await small.apply({
    companies: mills.map((id) => company(BigInt(id), `Mill ${id}`)),
    observations: mills.map((id) =>
      observation(
        BigInt(id),
        BigInt(id),
        id === 40 ? 'a plant in Reno, NV' : `a ${id < 3 ? 'hemp ' : ''}plant in Erie, PA`,
      ),
    ),
  });
  expect((await small.companiesFor('hemp plant in Nevada'))[0]).toBe(40n);
});

test('reports when more is of the kind asked for than was retrieved', async () => {
  await using own = await openPostgresIndex();
  const jobs = Array.from({ length: 501 }, (_, at) =>
    observation(BigInt(at + 1), BigInt(at + 1), 'an opening', { kind: Kind.JOB_POSTING }),
  );
  await own.apply({ observations: jobs.slice(0, 400) });
  expect((await own.rank('hiring')).retrievalCut).toBe(false);
  await own.apply({ observations: jobs.slice(400) });
  expect(await own.rank('hiring')).toMatchObject({ retrievalCut: true, truncated: false });
});
