import { wordsOf } from '../../../../text/words.ts';
import { ofCompanies } from '../query/filters.ts';
import { anyOf, noneOf, type Query } from '../query/query.ts';
import { wordsIn } from '../query/texts.ts';
import type { MultiSearchItem, SearchAnswer } from '../search-many.ts';

const COMPANIES = 10_000;

export interface LiteralCondition {
  readonly anyOf: readonly (readonly string[])[];
  readonly isExcluded: boolean;
  readonly ofCompany: readonly ('words' | 'name_words')[];
}

export function conditionsOf(phrases: readonly string[], excluded: readonly string[]): LiteralCondition[] {
  const lists = (texts: readonly string[]) => texts.map(wordsOf).filter((words) => words.length > 0);
  const unwanted = lists(excluded);
  return [
    ...lists(phrases).map((words): LiteralCondition => requiredWords(words, ['words', 'name_words'])),
    ...(unwanted.length > 0
      ? [{ anyOf: unwanted, isExcluded: true, ofCompany: ['name_words'] } satisfies LiteralCondition]
      : []),
  ];
}

export function requiredWords(words: readonly string[], ofCompany: LiteralCondition['ofCompany']): LiteralCondition {
  return { anyOf: [words], isExcluded: false, ofCompany };
}

export function companiesWith(
  { anyOf: lists, ofCompany }: LiteralCondition,
  index: string,
  among?: readonly number[],
): MultiSearchItem {
  const having = anyOf(ofCompany.flatMap((field) => lists.map((words) => wordsIn(field, words))));
  return {
    index,
    body: {
      query: among ? { bool: { filter: [having, ofCompanies(among)] } } : having,
      size: COMPANIES,
      sort: ['_doc'],
      track_total_hits: COMPANIES + 1,
      docvalue_fields: ['company_id'],
      _source: false,
      stored_fields: '_none_',
    },
  };
}

export function literalQuery({ anyOf: lists, isExcluded }: LiteralCondition, companies: SearchAnswer): Query {
  const ids = idsOf(companies);
  const meeting = [...lists.map((words) => wordsIn('words', words)), ...(ids.length > 0 ? [ofCompanies(ids)] : [])];
  return isExcluded ? noneOf(meeting) : anyOf(meeting);
}

export function idsOf({ hits }: SearchAnswer): number[] {
  return hits.map(({ fields }) => Number(fields?.company_id?.[0]));
}

export function isIncomplete({ total = 0, isPartial }: SearchAnswer): boolean {
  return isPartial || total > COMPANIES;
}
