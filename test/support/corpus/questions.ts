import fc from 'fast-check';
import type { Corpus } from './corpus.ts';
import type { Filters } from './matching.ts';

export const COUNTRIES = ['CA', 'US'] as const;
/** Excludes profiles, which a search returns only on request. */
export const ACTIVITY_KINDS = ['facility_expansion', 'procurement_request'] as const;
export const ACTIVITY_CLASSES = ['explicit_request', 'proxy'] as const;
export const KINDS = [...ACTIVITY_KINDS, 'company_profile'] as const;
export const CLASSES = [...ACTIVITY_CLASSES, 'structural'] as const;
export const LONG_AGO = '1990-01-01T00:00:00Z';
export const INSTANTS = ['2011-06-01', '2013-02-01', '2020-01-01', '2023-05-01', '2025-01-01', '2026-01-01'].map(
  (day) => `${day}T00:00:00Z`,
);

const FACTS_READ = 2000;
const SHORTEST_WORD = 4;
const ASKING = ['tenders for', 'opening a', 'signed', 'hiring', 'executive departures at', 'new facility for', 'using'];
const COMMON = ['services', 'project', 'report', 'energy', 'agreement', 'engineer', 'canada'];

export interface Question {
  readonly query: string;
  /** Without company or hostname lists. The tests draw those from the results. */
  readonly filters: Filters;
}

export function questions({ facts, judged }: Corpus): fc.Arbitrary<Question> {
  const texts = facts.filter((_, index) => index % Math.ceil(facts.length / FACTS_READ) === 0);
  const words = texts.flatMap((fact) => fact.split(/[^A-Za-z]+/)).filter(({ length }) => length >= SHORTEST_WORD);
  const word = fc.constantFrom(...new Set(words));
  const asked = fc.constantFrom(...judged.map(({ query }) => query));
  const few = fc.array(word, { minLength: 1, maxLength: 2 }).map((some) => some.join(' '));
  const query = fc.oneof(
    asked,
    few,
    fc.tuple(fc.constantFrom(...ASKING), word).map((parts) => parts.join(' ')),
    fc.tuple(fc.oneof(asked, few), fc.constantFrom(...COMMON)).map(([text, common]) => `${text} -${common}`),
  );
  const filters = fc.record({
    occurred_after: fc.oneof({ weight: 3, arbitrary: fc.constant(LONG_AGO) }, fc.constantFrom(...INSTANTS)),
  });
  return fc.record({ query, filters });
}
