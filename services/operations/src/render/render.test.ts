import { create } from '@bufbuild/protobuf';
import { CompanySchema, DemandClass } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CompanySearchDetails, Hydrated, StoredResult } from '../model/result.ts';
import { renderCompanySearch } from './company-search.ts';

interface StoredCompany {
  readonly id: number;
  readonly observations: readonly {
    readonly id: number;
    readonly withdrawn: boolean;
    readonly demandClass: DemandClass;
  }[];
}

const stored = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 0, maxLength: 50 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        observations: fc.array(
          fc.record({
            id: fc.integer({ min: 1 }),
            withdrawn: fc.boolean(),
            demandClass: fc.constantFrom(DemandClass.EXPLICIT_REQUEST, DemandClass.PROXY, DemandClass.STRUCTURAL),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    ),
  ),
);

function render(companies: readonly StoredCompany[], earlierCompanies: ReadonlySet<bigint> = new Set()) {
  const details: CompanySearchDetails = {
    action: 'company_search',
    limit: 50,
    stop_reason: 'page_filled',
    coverage: {
      target: 50,
      available: 100,
      candidate_limit: 100,
      retrieval: 'lexical',
      occurred_after: null,
      limitations: ['limited_source_coverage'],
    },
    page: {
      shortlist_id: 1,
      from: 0,
      to: companies.length,
      positions: companies.map((_, index) => index),
      passed_over: [],
    },
  };
  const result: StoredResult = {
    items: companies.map(({ id }) => ({ company_id: id, observation_ids: [] })),
    details,
    settledCompanyIds: companies.map(({ id }) => BigInt(id)),
    requestUnits: 1,
    freshEvidenceUnits: 0,
    asOf: new Date(0),
    judgedAt: new Date(0),
    nextCursor: undefined,
  };
  return renderCompanySearch({ query: 'a' }, result, details, companies.map(hydrate), earlierCompanies);
}

function hydrate({ id, observations }: StoredCompany): Hydrated {
  const left = observations.filter((observation) => !observation.withdrawn);
  if (left.length === 0) return { survivorId: BigInt(id) };
  const company = create(CompanySchema, {
    id: BigInt(id),
    observations: left.map(({ id, demandClass }) => ({ id: BigInt(id), demandClass, whyItMayMatter: `why ${id}` })),
  });
  return { survivorId: BigInt(id), company };
}

test(
  'returned and withheld are together what was settled, in the order stored',
  () => {
    fc.assert(
      fc.property(stored, (companies) => {
        const answer = render(companies);
        const left = companies.filter(({ observations }) => observations.some((one) => !one.withdrawn));
        expect(answer.companies.map((match) => Number(match.company?.id))).toEqual(left.map(({ id }) => id));
        expect(answer.companies.length + Number(answer.withheldUnits)).toBe(companies.length);
        expect(answer.coverage?.returnedCompanies).toBe(left.length);
        expect(answer.coverage?.limitations.includes('evidence_withdrawn')).toBe(left.length < companies.length);
        const restored = render(companies.map(withAllRestored));
        expect([restored.companies.length, restored.withheldUnits]).toEqual([companies.length, 0n]);
      }),
      { numRuns: volumeOf(200, 10_000, 1_000), seed: printedSeed() },
    );
  },
  VOLUME_TIMEOUT_MS,
);

function withAllRestored({ id, observations }: StoredCompany): StoredCompany {
  return { id, observations: observations.map((observation) => ({ ...observation, withdrawn: false })) };
}

test('class and reason come from one shown observation: of the strongest class, the best ranked', () => {
  fc.assert(
    fc.property(stored, (companies) => {
      for (const match of render(companies).companies) {
        const shown = match.company?.observations ?? [];
        const strongest = Math.min(...shown.map((observation) => observation.demandClass));
        const best = shown.find((observation) => observation.demandClass === strongest);
        expect([match.demandClass, match.whyItMayMatter]).toEqual([best?.demandClass, best?.whyItMayMatter]);
      }
    }),
  );
});

test('a company that an earlier page shows is withheld', () => {
  const companies = [1, 2, 3].map((id) => ({
    id,
    observations: [{ id, withdrawn: false, demandClass: DemandClass.PROXY }],
  }));
  const answer = render(companies, new Set([2n]));
  expect(answer.companies.map((match) => match.company?.id)).toEqual([1n, 3n]);
  expect(answer.withheldUnits).toBe(1n);
});
