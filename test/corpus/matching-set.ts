import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectExactly, expectWithin, holdForAll } from '../support/corpus/compare.ts';
import { createMatcher, type Filters, type Matcher, type Matching } from '../support/corpus/matching.ts';
import type { Opened } from '../support/corpus/opened.ts';
import {
  ACTIVITY_CLASSES,
  ACTIVITY_KINDS,
  CLASSES,
  COUNTRIES,
  INSTANTS,
  KINDS,
  LONG_AGO,
  type Question,
  questions,
} from '../support/corpus/questions.ts';

const LIMIT_MS = 120_000;
const MOST_LISTED = 100;

/**
 * Query algebra on the matching set, which only the search service exposes: all matches below the
 * caps, planned and searched with the same filters.
 */
export function describeMatching(opened: () => Opened): void {
  describe('the matching set', { timeout: LIMIT_MS }, () => {
    let matcher: Matcher;
    let asked: fc.Arbitrary<Question>;
    beforeAll(() => {
      matcher = createMatcher(opened().stack);
      asked = questions(opened().corpus);
    });

    const ask =
      ({ query, filters }: Question) =>
      async (added: Filters = {}): Promise<Matching> => {
        const inside = { ...filters, ...added };
        const plan = await matcher.plan(query, inside);
        return await matcher.match(plan, inside);
      };
    /** Every second company found, at most as many as a filter list may hold. */
    const someOf = ({ companies }: Matching) =>
      [...companies.keys()].filter((_, index) => index % 2 === 0).slice(0, MOST_LISTED);
    const hostnamesOf = (ids: readonly number[]) =>
      ids.flatMap((id) => opened().hostnames.get(id) ?? []).slice(0, MOST_LISTED);

    test('adding a value within a field never removes a candidate', async () => {
      const lists: Readonly<Record<string, readonly string[]>> = {
        countries: COUNTRIES,
        kinds: KINDS,
        demand_classes: CLASSES,
      };
      const widened = fc
        .constantFrom(...Object.entries(lists))
        .chain(([field, values]) =>
          fc
            .shuffledSubarray([...values], { minLength: 2 })
            .map((wide) => ({ wide: { [field]: wide }, narrow: { [field]: wide.slice(1) } })),
        );
      await holdForAll('values', fc.tuple(asked, widened), async ([question, { wide, narrow }]) => {
        const find = ask(question);
        return expectWithin(await find(narrow), await find(wide));
      });
    });

    test('adding a company or a hostname to a list never removes a candidate', async () => {
      await holdForAll('listed values', fc.tuple(asked, fc.boolean()), async ([question, byId]) => {
        const find = ask(question);
        const all = await find();
        const ids = someOf(all);
        const list = byId ? ids : hostnamesOf(ids);
        if (list.length < 2) return 'nothing found';
        const field = byId ? 'company_ids' : 'domains';
        return expectWithin(await find({ [field]: list.slice(1) }), await find({ [field]: list }));
      });
    });

    test('adding a field never adds a candidate', async () => {
      const added: fc.Arbitrary<Filters> = fc.oneof(
        fc.constantFrom(...COUNTRIES).map((country) => ({ countries: [country] })),
        fc.subarray([...ACTIVITY_KINDS], { minLength: 1 }).map((kinds) => ({ kinds })),
        fc.subarray([...ACTIVITY_CLASSES], { minLength: 1 }).map((classes) => ({ demand_classes: classes })),
        fc.constantFrom(...INSTANTS).map((instant) => ({ observed_after: instant })),
      );
      await holdForAll('fields', fc.tuple(asked, added), async ([question, field]) => {
        const find = ask(question);
        return expectWithin(await find(field), await find());
      });
    });

    test('a list of companies or hostnames leaves what was found of them', async () => {
      await holdForAll('inclusions', asked, async (question) => {
        const find = ask(question);
        const all = await find();
        const ids = someOf(all);
        if (ids.length === 0) return 'nothing found';
        const domains = hostnamesOf(ids);
        if (domains.length > 0) expectWithin(await find({ domains }), all);
        return all.complete ? expectExactly(await find({ company_ids: ids }), ids) : 'at a cap';
      });
    });

    test('exclusions win over inclusions and take away nothing else', async () => {
      await holdForAll('exclusions', asked, async (question) => {
        const find = ask(question);
        const all = await find();
        const ids = someOf(all);
        if (ids.length === 0) return 'nothing found';
        const listed = { company_ids: ids };
        expectWithin(await find({ ...listed, exclude_domains: hostnamesOf(ids) }), await find(listed));
        if (!all.complete) return 'at a cap';
        const others = [...all.companies.keys()].filter((id) => !ids.includes(id));
        expectExactly(await find({ ...listed, exclude_company_ids: ids.slice(1) }), ids.slice(0, 1));
        return expectExactly(await find({ exclude_company_ids: ids }), others);
      });
    });

    test('a company is not found when a hostname of its own is excluded', async () => {
      await holdForAll('excluded hostnames', asked, async (question) => {
        const find = ask(question);
        const ids = someOf(await find()).filter((id) => hostnamesOf([id]).length > 0);
        const domains = ids.flatMap((id) => hostnamesOf([id]).slice(0, 1));
        const { companies } = await find({ company_ids: ids, exclude_domains: domains });
        expect([...companies.keys()].filter((id) => ids.includes(id))).toEqual([]);
        return ids.length > 0 ? 'compared' : 'nothing found';
      });
    });

    test('an earlier cutoff never gives fewer', async () => {
      const cutoffs = fc
        .constantFrom('occurred_after', 'observed_after')
        .chain((field) =>
          fc
            .subarray([LONG_AGO, ...INSTANTS], { minLength: 2, maxLength: 2 })
            .map(([earlier, later]) => ({ earlier: { [field]: earlier }, later: { [field]: later } })),
        );
      await holdForAll('cutoffs', fc.tuple(asked, cutoffs), async ([question, { earlier, later }]) => {
        const find = ask(question);
        return expectWithin(await find(later), await find(earlier));
      });
    });

    test('profiles take part when company_profile or structural is named, and only then', async () => {
      const naming = fc.constantFrom<Filters>({ kinds: KINDS }, { demand_classes: CLASSES });
      await holdForAll('profiles', fc.tuple(asked, naming), async ([{ query }, named]) => {
        const profiles: Filters = named.kinds ? { kinds: ['company_profile'] } : { demand_classes: ['structural'] };
        const find = ask({ query, filters: {} });
        const onlyProfiles = await find(profiles);
        const unnamed = await find({ occurred_after: LONG_AGO });
        const shown = new Set([...onlyProfiles.companies.values()].flat());
        expect([...unnamed.companies.values()].flat().filter((id) => shown.has(id))).toEqual([]);
        return expectWithin(onlyProfiles, await find(named));
      });
    });
  });
}
