import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYDAY_WORDS } from '../support/corpus/everyday-words.ts';
import { activity, type SampleSearch, startSampleSearch } from '../support/corpus/sample-search.ts';
import { IS_NIGHTLY } from '../support/volume.ts';

const PAGE = 10;

/** `copied` answers from the memory index, `stored` from the database, in nightly runs. */
let copied: SampleSearch;
let stored: SampleSearch | undefined;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  copied = stack.use(await startSampleSearch());
  stored = IS_NIGHTLY ? stack.use(await startSampleSearch({ CES_SEARCH_MEMORY_INDEX_MIB: '0' })) : undefined;
});
afterAll(() => stack.disposeAsync());

describe.each(Object.entries(EVERYDAY_WORDS))('%s', (name, words) => {
  const kind = Kind[name.toUpperCase() as keyof typeof Kind];
  const filters = kind === Kind.COMPANY_PROFILE ? { kinds: [kind] } : activity();

  test.each(words)('"%s" finds it first, and mostly it, whichever way the index is read', async (query) => {
    const { ranking } = await copied.find(query, filters, PAGE);
    const companies = ranking?.companies ?? [];
    const isOfKind = companies.map(({ observationIds }) => observationIds.some((id) => copied.kindOf(id) === kind));
    expect(isOfKind[0]).toBe(true);
    expect(isOfKind.filter(Boolean).length).toBeGreaterThanOrEqual(companies.length / 2);
    if (!stored) return;
    const again = (await stored.find(query, filters, PAGE)).ranking?.companies ?? [];
    expect(again.map(({ companyId, observationIds }) => [companyId, observationIds])).toEqual(
      companies.map(({ companyId, observationIds }) => [companyId, observationIds]),
    );
  });
});
