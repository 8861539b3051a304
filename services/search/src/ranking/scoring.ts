import { KINDS } from '@ces/proto/catalog';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { countriesOf, isAsked, namesKindsForCertain } from './asked.ts';
import { K1 } from './bm25.ts';
import type { TermStatistics } from './term-statistics.ts';
import { type WeighedTerm, weighTerms, weightOf } from './weigh-terms.ts';
import { COMMON_WORD_GAIN, CONTEXT_WEIGHT, FAINT_WORD, NAMED_KIND_WORDS, SCORED_TERMS } from './weights.ts';

/** Terms of one text: all are scored, and by some of them an index retrieves candidates. */
export interface ScoredText {
  readonly terms: readonly WeighedTerm[];
  /** Those by which an index may retrieve candidates; it may use fewer of them than all. */
  readonly candidateTerms: readonly WeighedTerm[];
  /** What the frequencies of the terms were counted in. */
  readonly corpus: 'observations' | 'descriptions';
  readonly meanLength: number;
}

/**
 * The parts of a score that say whether an observation answers, the same whatever the filters are: a kind is read off words
 * only where filters leave it open, and a country is a place only where none demands it.
 */
interface AnsweringParts {
  readonly byKind: boolean;
  readonly byPlace: boolean;
  /** The most that these parts can add up to. */
  readonly highest: number;
}

/** All that the score of an observation is made of. */
export interface Scoring {
  readonly own: ScoredText;
  readonly context: ScoredText;
  readonly placeGain: number;
  readonly kindGain: number;
  /** What words must give for a place, and for what the company is, to count in full: what the weightiest weighs; 0 without words. */
  readonly answeringGain: number;
  /** Whether what is asked for says itself what it is about: then a company that fits counts less beside what does not say so. */
  readonly saysItself: boolean;
  /** What every observation has to begin with: 1 where there is no word to gain by, so that factors order, else 0. */
  readonly base: number;
  /** The most that a score can reach, whatever kinds the filters allow: a kind more changes no normalised score. */
  readonly highest: number;
  readonly answering: AnsweringParts;
  /** Whether there are words that a text answers by, beyond those that name a kind. */
  readonly asksWords: boolean;
  /** Whether words have a part in the scores, of a text or of a description, beyond those that name a kind. */
  readonly ranksByWords: boolean;
  /** Words beyond the number of terms that are scored, as written. */
  readonly unscoredTerms: readonly string[];
}

/** Turns a plan into weights by what an index knows of its words. */
export function prepareScoring(plan: Plan, filters: SearchFilters, statistics: TermStatistics): Scoring {
  const corpus = searchesEvents(filters) ? 'observations' : 'descriptions';
  const weighed = weighIn(corpus, plan.activity, statistics);
  const own = weightiest(weighed);
  const asked = own.filter(isAsked);
  const context = weightiest(weighIn('descriptions', plan.description, statistics));
  const placeGain = Math.max(0, ...plan.places.map((place) => place.weight)) * COMMON_WORD_GAIN;
  const base = own.length === 0 && context.length === 0 ? 1 : 0;
  const kindGain = NAMED_KIND_WORDS * COMMON_WORD_GAIN;
  const ofCompany = highestGain(context) * CONTEXT_WEIGHT;
  const highestOf = (kind: Kind, place: number) => {
    const factor = plan.kinds.find((weight) => weight.kind === kind)?.factor ?? 1;
    const words = highestGain(own.filter((term) => !term.namesKinds.includes(kind)));
    return (base + words + place + (factor > 1 ? kindGain : 0) + ofCompany) * factor;
  };
  const byKind = namesKindsForCertain(plan);
  const byPlace = countriesOf(plan).length === 0;
  const answeringPlace = byPlace ? placeGain : 0;
  return {
    own: {
      terms: own,
      candidateTerms: namesOnlyKinds(plan) ? own : own.filter((term) => term.namesKinds.length === 0),
      corpus,
      meanLength: statistics.observations.meanLength,
    },
    context: {
      terms: context,
      candidateTerms: context,
      corpus: 'descriptions',
      meanLength: statistics.descriptions.meanLength,
    },
    placeGain,
    kindGain,
    answeringGain: Math.max(0, ...asked.map(weightOf)),
    saysItself: saysItself(plan),
    base,
    asksWords: asked.length > 0,
    ranksByWords: asked.length > 0 || context.some(isAsked),
    highest: Math.max(...KINDS.map((kind) => highestOf(kind, placeGain))),
    answering: {
      byKind,
      byPlace,
      highest: byKind
        ? Math.max(...KINDS.map((kind) => highestOf(kind, answeringPlace)))
        : base + highestGain(own) + answeringPlace + ofCompany,
    },
    unscoredTerms: weighed.filter((term) => !own.includes(term)).map((term) => term.text),
  };
}

/** Profiles alone are compared with descriptions, since that is what they are. */
function searchesEvents(filters: SearchFilters): boolean {
  return filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
}

function weighIn(corpus: ScoredText['corpus'], terms: Plan['activity'], statistics: TermStatistics): WeighedTerm[] {
  return weighTerms(terms, statistics[corpus].documents, (word) => {
    const known = statistics.words.get(word);
    return known && { lexeme: known.lexeme, documents: known[corpus] };
  });
}

/**
 * Whether the words name a kind and beside it no more than a part that anybody can play ("recruiting services"): only then
 * do words that name a kind retrieve observations of another. Decided by the plan alone, so that filters have no influence.
 */
function namesOnlyKinds({ activity, description }: Plan): boolean {
  const others = [...activity, ...description].filter(isAsked);
  return others.every((term) => term.weight <= FAINT_WORD);
}

/** A filing names what happened and who, not the trade that they are in. */
const SILENT_KINDS: ReadonlySet<Kind> = new Set([Kind.LEADERSHIP_CHANGE, Kind.PARTNERSHIP, Kind.FUNDING_ROUND]);

function saysItself({ kinds }: Plan): boolean {
  return kinds.some(({ kind, factor }) => factor > 1 && !SILENT_KINDS.has(kind));
}

/** The weightiest, those that name a kind behind all others. */
function weightiest(terms: readonly WeighedTerm[]): WeighedTerm[] {
  const rank = (term: WeighedTerm) => Math.min(1, term.namesKinds.length);
  return terms.toSorted((a, b) => rank(a) - rank(b) || weightOf(b) - weightOf(a)).slice(0, SCORED_TERMS);
}

function highestGain(terms: readonly WeighedTerm[]): number {
  return terms.reduce((total, term) => total + weightOf(term) * (K1 + 1), 0);
}
