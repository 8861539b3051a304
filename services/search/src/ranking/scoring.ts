import { KINDS } from '@ces/proto/catalog';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { chooseMatchSet, oldestWithin } from '../index/postgres/retrieval/candidate-terms.ts';
import { type Conjunction, chooseTogether } from '../index/postgres/retrieval/conjunctive-retrieval.ts';
import { passingShare, searchedShare } from '../index/postgres/retrieval/retrieval-cost.ts';
import { K1 } from './bm25.ts';
import type { Lexicon } from './term-statistics.ts';
import { type WeighedTerm, weighTerms, weightOf } from './weigh-terms.ts';
import { COMMON_WORD_GAIN, CONTEXT_WEIGHT, FAINT_WORD, NAMED_KIND_WORDS, SCORED_TERMS } from './weights.ts';

/** Terms of one text with what fetches candidates by them. */
export interface ScoredText {
  readonly terms: readonly WeighedTerm[];
  readonly fetching: readonly WeighedTerm[];
  readonly meanLength: number;
}

/** All that the score of an observation is made of. */
export interface Scoring {
  readonly own: ScoredText;
  readonly context: ScoredText;
  /** Words of `own` that fetch only where several stand together. */
  readonly together: readonly Conjunction[];
  readonly placeGain: number;
  readonly kindGain: number;
  /** What every observation has to begin with: 1 where there is no word to gain by, so that factors tell, else 0. */
  readonly base: number;
  /** The most that a score can reach, whatever kinds the filters allow: a kind more changes no normalised score. */
  readonly highest: number;
  /** Where it is set, words fetch no candidates from older buckets: one word alone has too many matches. */
  readonly oldestBucket: string | undefined;
  /** Words that fetch no candidates for their frequency, as written. */
  readonly droppedTerms: readonly string[];
}

/** What fetches together may take so much of the budget beside. */
const TOGETHER_SHARE = 0.5;
/** Part of the budget that is left to descriptions. */
const DESCRIPTIONS_SHARE = 0.9;
/** Budgets that are scored at most, since the first word may have more matches than one, and counts are estimates. */
export const SCORED_BUDGETS = 3;

/** Turns a plan into weights by what an index knows of its words; `budget` bounds the matches of either text. */
export function prepareScoring(plan: Plan, filters: SearchFilters, lexicon: Lexicon, budget: number): Scoring {
  const entries = scoresAgainstEntries(filters);
  const ownCorpus = entries ? lexicon.entry : lexicon.description;
  const weighed = weighTerms(plan.activity, ownCorpus.documents, (word) => {
    const known = lexicon.words.get(word);
    return known && { lexeme: known.lexeme, documents: entries ? known.entries : known.descriptions };
  });
  const describing = weighTerms(plan.description, lexicon.description.documents, (word) => {
    const known = lexicon.words.get(word);
    return known && { lexeme: known.lexeme, documents: known.descriptions };
  });
  const own = weightiest(weighed);
  const fetching = saysNothingElse(plan) ? own : own.filter((term) => term.namesKinds.length === 0);
  const context = weightiest(describing);
  const searched = {
    documents: ownCorpus.documents,
    share: searchedShare(lexicon.buckets),
    passing: entries ? passingShare(filters, lexicon) : 1,
  };
  const match = chooseMatchSet(fetching, searched, budget);
  const described = { documents: lexicon.description.documents, share: 1, passing: 1 };
  const placeGain = Math.max(0, ...plan.places.map((place) => place.weight)) * COMMON_WORD_GAIN;
  const base = own.length === 0 && context.length === 0 ? 1 : 0;
  const kindGain = NAMED_KIND_WORDS * COMMON_WORD_GAIN;
  const highestOf = (kind: Kind) => {
    const factor = plan.kinds.find((weight) => weight.kind === kind)?.factor ?? 1;
    const words = highestGain(own.filter((term) => !term.namesKinds.includes(kind)));
    return (base + words + placeGain + (factor > 1 ? kindGain : 0) + highestGain(context) * CONTEXT_WEIGHT) * factor;
  };
  return {
    own: { terms: own, fetching: match.terms, meanLength: lexicon.entry.meanLength },
    context: {
      terms: context,
      fetching: chooseMatchSet(context, described, budget * DESCRIPTIONS_SHARE).terms,
      meanLength: lexicon.description.meanLength,
    },
    together: chooseTogether(match.dropped, searched, budget * TOGETHER_SHARE),
    oldestBucket: entries ? oldestWithin(lexicon.buckets, match.expected, budget * SCORED_BUDGETS) : undefined,
    placeGain,
    kindGain,
    base,
    highest: Math.max(...KINDS.map(highestOf)),
    droppedTerms: [...weighed.filter((term) => !own.includes(term)), ...match.dropped].map((term) => term.text),
  };
}

/** Profiles alone are compared with descriptions, since that is what they are. */
function scoresAgainstEntries(filters: SearchFilters): boolean {
  return filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
}

/**
 * Whether the words name a kind and say no more than a part that anybody can play ("recruiting services"): only then do
 * words that name a kind fetch what is of another. Asked of the plan alone, so that filters have no say in it.
 */
function saysNothingElse({ activity, description }: Plan): boolean {
  const others = [...activity.filter((term) => term.namesKinds.length === 0), ...description];
  return others.every((term) => term.weight <= FAINT_WORD);
}

/** The weightiest, those that name a kind behind all others. */
function weightiest(terms: readonly WeighedTerm[]): WeighedTerm[] {
  const rank = (term: WeighedTerm) => Math.min(1, term.namesKinds.length);
  return terms.toSorted((a, b) => rank(a) - rank(b) || weightOf(b) - weightOf(a)).slice(0, SCORED_TERMS);
}

function highestGain(terms: readonly WeighedTerm[]): number {
  return terms.reduce((total, term) => total + weightOf(term) * (K1 + 1), 0);
}
