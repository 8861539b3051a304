import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYDAY_WORDS } from '../support/corpus/everyday-words.ts';
import { activity, type SampleSearch, startSampleSearch } from '../support/corpus/sample-search.ts';

const PAGE = 10;

let sample: SampleSearch;
beforeAll(async () => {
  sample = await startSampleSearch();
});
afterAll(() => sample[Symbol.asyncDispose]());

describe.each(Object.entries(EVERYDAY_WORDS))('%s', (name, words) => {
  const kind = Kind[name.toUpperCase() as keyof typeof Kind];
  const filters = kind === Kind.COMPANY_PROFILE ? { kinds: [kind] } : activity();

  test.each(words)('"%s" finds it first, and mostly it', async (query) => {
    const { ranking } = await sample.find(query, filters, PAGE);
    const companies = ranking?.companies ?? [];
    const isOfKind = companies.map(({ observationIds }) => observationIds.some((id) => sample.kindOf(id) === kind));
    expect(isOfKind[0]).toBe(true);
    expect(isOfKind.filter(Boolean).length).toBeGreaterThanOrEqual(companies.length / 2);
  });
});
