import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filters, observation } from '../../test-support/documents.ts';
import { type IndexUnderTest, openIndex } from '../../test-support/index-under-test.ts';

const BUDGET = 20;
const OBSERVATIONS = 400;

let subject: IndexUnderTest;
beforeEach(async () => {
  subject = await openIndex({ matchBudget: BUDGET, windowMatchBudget: BUDGET });
});
afterEach(() => subject[Symbol.asyncDispose]());

/** Every observation of a company of its own; the text is what `wordsOf` gives for its number. */
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
