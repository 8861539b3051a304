import { wordsOf } from '../../../../text/words.ts';
import { ofCompanies } from '../query/filters.ts';
import { anyOf, noneOf, type Query } from '../query/query.ts';
import { wordsIn } from '../query/texts.ts';
import type { OneSearch, SearchAnswer } from '../search-many.ts';

/** Companies that are looked at for what stands in a name or a description, at most. */
const COMPANIES = 10_000;

/** Words that must stand, or must not, in a text or in what is said of its company. */
export interface LiteralCondition {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
  /** Where in the index of companies it may stand too. */
  readonly ofCompany: readonly ('words' | 'name_words')[];
}

/** Phrases that are required and words that are excluded; those without words restrict nothing. */
export function conditionsOf(phrases: readonly string[], excluded: readonly string[]): LiteralCondition[] {
  const lists = (texts: readonly string[]) => texts.map(wordsOf).filter((words) => words.length > 0);
  return [
    ...lists(phrases).map(
      (words): LiteralCondition => ({ words, isExcluded: false, ofCompany: ['words', 'name_words'] }),
    ),
    ...lists(excluded).map((words): LiteralCondition => ({ words, isExcluded: true, ofCompany: ['name_words'] })),
  ];
}

/** The search for the companies that meet a condition by what is said of them. */
export function companiesMeeting({ words, ofCompany }: LiteralCondition, index: string): OneSearch {
  const query = anyOf(ofCompany.map((field) => wordsIn(field, words)));
  return {
    index,
    body: {
      query,
      size: COMPANIES,
      sort: ['_doc'],
      track_total_hits: COMPANIES + 1,
      docvalue_fields: ['company_id'],
      _source: false,
      stored_fields: '_none_',
    },
  };
}

/** A condition on observations, once it is known which companies meet it. */
export function literalQuery({ words, isExcluded }: LiteralCondition, companies: SearchAnswer): Query {
  const ids = companies.hits.map(({ fields }) => Number(fields?.company_id?.[0]));
  const meets = anyOf([wordsIn('words', words), ...(ids.length > 0 ? [ofCompanies(ids)] : [])]);
  return isExcluded ? noneOf([meets]) : meets;
}

/** Whether more companies meet a condition than were looked at. */
export function isCutShort({ total = 0, isPartial }: SearchAnswer): boolean {
  return isPartial || total > COMPANIES;
}
