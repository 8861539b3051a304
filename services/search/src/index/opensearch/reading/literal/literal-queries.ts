import { wordsOf } from '../../../../text/words.ts';
import { ofCompanies } from '../query/filters.ts';
import { anyOf, noneOf, type Query } from '../query/query.ts';
import { wordsIn } from '../query/texts.ts';
import type { OneSearch, SearchAnswer } from '../search-many.ts';

/** Companies that are looked at for what stands in a name or a description, at most. */
const COMPANIES = 10_000;

/** Words any of which must stand, or none of which may, in a text or in what is said of its company. */
export interface LiteralCondition {
  /** Each one word or several side by side. */
  readonly anyOf: readonly (readonly string[])[];
  readonly isExcluded: boolean;
  /** Where in the index of companies they may stand too. */
  readonly ofCompany: readonly ('words' | 'name_words')[];
}

/** Phrases that are all required and words that are all excluded; those without words restrict nothing. */
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

/** Words side by side that must stand in a text, or in these fields of its company. */
export function requiredWords(words: readonly string[], ofCompany: LiteralCondition['ofCompany']): LiteralCondition {
  return { anyOf: [words], isExcluded: false, ofCompany };
}

/** The search for the companies that have such words, of all or of some. */
export function companiesWith(
  { anyOf: lists, ofCompany }: LiteralCondition,
  index: string,
  among?: readonly number[],
): OneSearch {
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

/** A condition on observations, once it is known which companies have such words. */
export function literalQuery({ anyOf: lists, isExcluded }: LiteralCondition, companies: SearchAnswer): Query {
  const ids = idsOf(companies);
  const meeting = [...lists.map((words) => wordsIn('words', words)), ...(ids.length > 0 ? [ofCompanies(ids)] : [])];
  return isExcluded ? noneOf(meeting) : anyOf(meeting);
}

/** The companies that were found. */
export function idsOf({ hits }: SearchAnswer): number[] {
  return hits.map(({ fields }) => Number(fields?.company_id?.[0]));
}

/** Whether more companies have such words than were looked at. */
export function isCutShort({ total = 0, isPartial }: SearchAnswer): boolean {
  return isPartial || total > COMPANIES;
}
