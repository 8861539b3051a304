import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { expect, test } from 'vitest';
import { company, observation } from '../../../../../test-support/documents.ts';
import { planOfWords } from '../../../../../test-support/index-under-test.ts';
import { openOpenSearchIndex } from '../../../../../test-support/opensearch-under-test.ts';

const COMPANIES = 10_300;

describeWithOpenSearch('words in the names of more companies than one answer holds', () => {
  test('are excluded all the same, and found where they are required', async () => {
    await using subject = await openOpenSearchIndex({ shards: 1, timeoutMs: 30_000 });
    const ids = Array.from({ length: COMPANIES }, (_, at) => BigInt(at + 1));
    await subject.apply({
      observations: [
        ...ids.filter((id) => id % 50n === 0n || id > 10_250n).map((id) => observation(id, id, 'battery plant')),
        observation(20_000n, 20_000n, 'battery plant'),
      ],
      companies: [...ids.map((id) => company(id, `Works ${id} Inc`)), company(20_000n, 'Works')],
    });
    expect(await subject.companiesFor(planOfWords(['battery'], { excluded: ['inc'] }))).toEqual([20_000n]);
    const { hits } = await subject.rank(planOfWords(['battery'], { phrases: ['inc'] }));
    expect(hits).toHaveLength(100);
  });
});
