import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectExactly, holdForAll } from '../support/corpus/compare.ts';
import { createRichSubscriber } from '../support/corpus/corpus-stack.ts';
import { createMatcher, type Filters } from '../support/corpus/matching.ts';
import type { Opened } from '../support/corpus/opened.ts';
import { CLASSES, COUNTRIES, KINDS, LONG_AGO, questions } from '../support/corpus/questions.ts';
import type { Subscriber } from '../support/subscriber.ts';

const LIMIT_MS = 120_000;
const DAY_MS = 86_400_000;
const WINDOW_DAYS = 30;
const LISTS = [
  'countries',
  'kinds',
  'demand_classes',
  'company_ids',
  'domains',
  'exclude_company_ids',
  'exclude_domains',
];
const WHOLE_SHORTLIST = { limit: 1, target: 1000 };

export function describeOperations(opened: () => Opened): void {
  describe('over the public interface', { timeout: LIMIT_MS }, () => {
    let subscriber: Subscriber;
    let database: pg.Pool;
    beforeAll(async () => {
      subscriber = await createRichSubscriber(opened().stack);
      database = new pg.Pool({ connectionString: opened().stack.databases.operations.ownerUrl, max: 2 });
    });
    afterAll(() => database.end());

    const lists = () => {
      const hostname = fc.constantFrom(...[...opened().hostnames.values()].flat());
      const id = fc.constantFrom(...opened().hostnames.keys());
      return fc.record<Filters>({
        countries: fc.subarray([...COUNTRIES]),
        kinds: fc.subarray([...KINDS]),
        demand_classes: fc.subarray([...CLASSES]),
        company_ids: fc.array(id, { maxLength: 4 }),
        domains: fc.array(hostname, { maxLength: 4 }),
        exclude_company_ids: fc.array(id, { maxLength: 4 }),
        exclude_domains: fc.array(hostname, { maxLength: 4 }),
        occurred_after: fc.constant(LONG_AGO),
      });
    };
    /** Submits both spellings of the filters under one key and expects one operation. */
    const expectOne = async (query: string, one: Filters, other: Filters) => {
      const key = randomUUID();
      const first = await subscriber.search({ query, filters: one, limit: 3 }, key);
      expect(first.status, JSON.stringify(first.body)).toBe(200);
      const again = await subscriber.search(
        { query: `  ${query.replace(' ', ' \t ')}`, filters: other, limit: 3 },
        key,
      );
      expect(again.headers.get('idempotent-replayed'), JSON.stringify([one, other])).toBe('true');
      expect(again.body).toEqual(first.body);
      return 'compared' as const;
    };

    test('permuted and repeated values, hostnames in another case and instants of another zone are one operation', async () => {
      await holdForAll('one operation', fc.tuple(questions(opened().corpus), lists()), async ([{ query }, filters]) =>
        expectOne(query, filters, { ...writtenOtherwise(filters), occurred_after: '1990-01-01T02:00:00+02:00' }),
      );
    });

    test('an empty list is an absent one', async () => {
      const empty = Object.fromEntries(LISTS.map((name) => [name, []]));
      await holdForAll('empty lists', questions(opened().corpus), async ({ query, filters }) =>
        expectOne(query, filters, { ...empty, ...filters }),
      );
    });

    test('other filters under the same key are a conflict', async () => {
      const key = randomUUID();
      const body = { query: 'battery plants', filters: { countries: ['US'], occurred_after: LONG_AGO } };
      expect((await subscriber.search(body, key)).status).toBe(200);
      const other = await subscriber.search({ ...body, filters: { ...body.filters, countries: ['CA'] } }, key);
      expect(other.body.error.code).toBe('idempotency_conflict');
    });

    test('a shortlist is what the search service matches', async () => {
      const matcher = createMatcher(opened().stack);
      await holdForAll('shortlists', questions(opened().corpus), async ({ query, filters }) => {
        const matching = await matcher.match(await matcher.plan(query, filters), filters);
        const { status, body } = await subscriber.search({ query, filters, ...WHOLE_SHORTLIST });
        expect(status).toBe(200);
        const { rows } = await database.query('select items from shortlist where operation_id = $1', [body.usage.id]);
        const items: readonly { company_id: number }[] = rows[0].items;
        expect(body.coverage.available_companies).toBe(items.length);
        return expectExactly(
          matching,
          items.map((item) => item.company_id),
        );
      });
    });

    test('an empty result never widens: not past the default window, not past an instant, not past a filter', async () => {
      const { judged } = opened().corpus;
      const today = Math.floor(Date.now() / DAY_MS);
      const windowStart = new Date((today - WINDOW_DAYS) * DAY_MS).toISOString();
      const future = '2999-01-01T00:00:00.000Z';
      for (const { query } of judged.slice(-5)) {
        const asked: readonly (readonly [Filters, string])[] = [
          [{}, windowStart],
          [{ occurred_after: future }, future],
          [{ occurred_after: LONG_AGO, company_ids: [999_999_999] }, '1990-01-01T00:00:00.000Z'],
          [{ occurred_after: LONG_AGO, domains: ['nobody.example'] }, '1990-01-01T00:00:00.000Z'],
        ];
        for (const [filters, cutoff] of asked) {
          const { body } = await subscriber.search({ query, filters });
          expect(body).toMatchObject({ companies: [], next_cursor: null, coverage: { available_companies: 0 } });
          expect(body.coverage.occurred_after).toBe(cutoff);
        }
      }
    });
  });
}

function writtenOtherwise(filters: Filters): Filters {
  const lists = Object.entries(filters).filter(([, values]) => Array.isArray(values));
  return Object.fromEntries(
    lists.map(([name, values]) => [
      name,
      [...values, ...values.slice(0, 1)].toReversed().map(name.endsWith('domains') ? shout : same),
    ]),
  );
}

function shout(hostname: string): string {
  return ` ${hostname.toUpperCase()}. `;
}

function same<T>(value: T): T {
  return value;
}
