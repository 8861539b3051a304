import { create } from '@bufbuild/protobuf';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { rankInMemory } from '../../../../test-support/rank-in-memory.ts';
import { createPostgresIndex } from '../postgres-index.ts';

// The database is the reference: the memory index returns the same observations, order and scores,
// to the last bit.

const WORDS =
  'battery plant storage solar warehouse tender opened engineer hiring software paving roof cold chain'.split(' ');
const PLACES = [
  'Reno, NV',
  'Austin, TX',
  'Toronto, Ontario',
  'New York City',
  'Nevada City, California',
  'Kansas City',
];
const FACTS = ['a $40 million contract', 'a Series B round of $12 million', '300 MW', 'no amount'];
const QUERIES = [
  'battery storage plants',
  'cold storage warehouses in Nevada',
  'companies hiring software engineers',
  'solar roofs not warehouses',
  'tenders for paving over $20 million in Ontario',
  'Series B rounds raised by battery companies',
  'plants opened in New York since March',
  'hiring',
  'in Canada',
  'job openings in Texas last year',
  'baterry plants',
  'roof OR solar, cold-chain',
  '"battery plant" storage',
  '"in a" "plant in" software -solar -"in Reno"',
  'plants -Reno -solar -battery -"a Series" -the -"Company 3" -roof -nobody',
  '"Company 4" plants',
  'tender "40 million" -"40 million contract"',
];
const FILTERS: readonly SearchFilters[] = [
  filters(),
  filters({ countries: [Country.CA] }),
  filters({ kinds: [Kind.FACILITY_EXPANSION], countries: [Country.US] }),
  filters({ occurredAfter: instant('2026-08-01T00:00:00Z') }),
  filters({ observedAfter: instant('2026-09-01T00:00:00Z'), excludeCompanyIds: [3n, 4n] }),
  filters({ companyIds: [1n, 2n, 5n, 8n] }),
  filters({ domains: ['c1.example', 'c29.example', 'c4.example'], excludeDomains: ['c4.example'] }),
  filters({ excludeDomains: ['c7.example', 'shared.example', 'nobody.example'] }),
  create(SearchFiltersSchema, { kinds: [Kind.COMPANY_PROFILE] }),
  create(SearchFiltersSchema, {
    kinds: [Kind.COMPANY_PROFILE, Kind.JOB_POSTING],
    profileOccurredAfter: instant('2026-01-01T00:00:00Z'),
  }),
];

let subject: PostgresIndexUnderTest;
let rankFromMemory: PostgresIndexUnderTest['rank'];

beforeAll(async () => {
  subject = await openPostgresIndex({ statementTimeoutMs: 500 });
  const random = seeded(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const text = (words: number) => Array.from({ length: words }, () => pick(WORDS)).join(' ');
  await subject.apply({
    companies: Array.from({ length: 30 }, (_, at) =>
      company(BigInt(at + 1), `Company ${at}`, {
        profile: at % 3 === 0 ? '' : text(3 + (at % 20)),
        survivorId: at === 29 ? 1n : BigInt(at + 1),
        domains: [{ hostname: `c${at}.example` }, ...(at % 5 === 0 ? [{ hostname: 'shared.example' }] : [])],
      }),
    ),
    observations: Array.from({ length: 400 }, (_, at) => {
      const day = new Date(Date.UTC(2019 + (at % 8), at % 12, 1 + (at % 28)));
      return observation(
        BigInt(at + 1),
        BigInt(1 + Math.floor(random() * 30)),
        `${text(2 + (at % 40))} in ${pick(PLACES)}, ${pick(FACTS)}`,
        {
          kind: pick([
            Kind.FACILITY_EXPANSION,
            Kind.JOB_POSTING,
            Kind.PROCUREMENT_REQUEST,
            Kind.FUNDING_ROUND,
            Kind.COMPANY_PROFILE,
          ]),
          country: pick([Country.US, Country.CA]),
          observedAt: instant(day.toISOString()),
          ...(at % 9 > 0 ? { occurredAt: instant(day.toISOString()) } : { occurredAt: undefined }),
          ...(at % 11 === 0 && { deliverableUntil: instant('2020-01-01T00:00:00Z') }),
        },
      );
    }),
  });
  rankFromMemory = subject.rankWith(createPostgresIndex({ ...subject.options, memoryIndexMib: 64 }));
  await rankInMemory(subject, () => rankFromMemory('battery'));
});
afterAll(() => subject[Symbol.asyncDispose]());

test.each(QUERIES)('the memory index ranks "%s" as the database does, whatever the filters', async (query) => {
  for (const within of FILTERS) {
    const ranking = await rankFromMemory(query, within);
    expect(ranking).toEqual(await subject.rank(query, within));
    expect(await rankFromMemory(query, within, true)).toEqual(await subject.rank(query, within, true));
  }
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
