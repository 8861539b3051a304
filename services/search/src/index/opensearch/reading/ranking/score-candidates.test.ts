import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { expect, test } from 'vitest';
import { observation } from '../../../../../test-support/documents.ts';
import { openOpenSearchIndex } from '../../../../../test-support/opensearch-under-test.ts';

const LONG =
  'faint word solar in texas and many other things that go on for long there while nothing else is said by anyone';

function others(from: number, length: number, text: string) {
  return Array.from({ length }, (_, at) => observation(BigInt(from + at), BigInt(from + at), text));
}

describeWithOpenSearch('the best observation of a company on OpenSearch', () => {
  test('is found after many whose upper bound is as high and whose score is not', async () => {
    await using subject = await openOpenSearchIndex();
    const inPlace = Array.from({ length: 40 }, (_, at) => observation(BigInt(at + 1), 1n, LONG));
    const best = observation(100n, 1n, 'hydrogen solar in texas');
    await subject.apply({ observations: [...inPlace, best, ...others(200, 200, 'flour mill')] });
    const { hits, retrievalCut } = await subject.rank('solar hydrogen in texas');
    expect([hits.map(({ observationId }) => observationId), retrievalCut]).toEqual([[100n, 1n, 2n], false]);
  });

  test('may come after more than are scored, which is reported', async () => {
    await using subject = await openOpenSearchIndex();
    const inPlace = Array.from({ length: 120 }, (_, at) => observation(BigInt(at + 1), 1n, LONG));
    await subject.apply({ observations: [...inPlace, ...others(200, 200, 'flour mill hydrogen')] });
    const { retrievalCut } = await subject.rank('solar hydrogen in texas');
    expect(retrievalCut).toBe(true);
  });
});
