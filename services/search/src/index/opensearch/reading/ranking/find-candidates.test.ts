import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../../test-support/documents.ts';
import { planOfWords } from '../../../../../test-support/index-under-test.ts';
import { openOpenSearchIndex } from '../../../../../test-support/opensearch-under-test.ts';

describeWithOpenSearch('candidates on OpenSearch', () => {
  test('a matching company at a place ranks before others, also with another kind than the query names', async () => {
    await using subject = await openOpenSearchIndex();
    await subject.apply({
      observations: [
        ...Array.from({ length: 120 }, (_, at) => observation(BigInt(at + 2), BigInt(at + 2), 'a mill in texas')),
        observation(1n, 1n, 'a mill in texas', { occurredAt: instant('2026-01-01T00:00:00Z') }),
      ],
      companies: [company(1n, 'Company', { profile: 'an airline' })],
    });
    const plan = planOfWords([], {
      description: [{ words: ['airline'], weight: 1, text: 'airline' }],
      kinds: [{ kind: Kind.LEADERSHIP_CHANGE, factor: 1.5 }],
      places: [{ text: 'texas', names: ['texas'], weight: 1, country: Country.UNSPECIFIED }],
    });
    const { hits } = await subject.index.rank({
      plan,
      filters: filters(),
      companies: 1,
      observationsPerCompany: 1,
      timeoutMs: undefined,
    });
    expect(hits.map(({ companyId }) => companyId)).toEqual([1n]);
  });
});
