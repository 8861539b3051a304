import { KINDS } from '@ces/proto/catalog';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { K1 } from './bm25.ts';
import { countriesOf, isTopicTerm, namesKindsForCertain } from './plan-traits.ts';
import type { TermStatistics } from './term-statistics.ts';
import { type WeighedTerm, weighTerms, weightOf } from './weigh-terms.ts';
import { COMMON_WORD_GAIN, CONTEXT_WEIGHT, NAMED_KIND_WORDS, SCORED_TERMS } from './weights.ts';

export interface ScoredText {
  readonly terms: readonly WeighedTerm[];
  /** An index may retrieve candidates by these terms, or by fewer. */
  readonly candidateTerms: readonly WeighedTerm[];
  readonly corpus: 'observations' | 'descriptions';
  readonly meanLength: number;
}

/** Words for companies count as no kind here, a country only if no filter requires it. */
interface AnsweringParts {
  readonly byKind: boolean;
  readonly byPlace: boolean;
  readonly highest: number;
}

export interface Scoring {
  readonly own: ScoredText;
  readonly context: ScoredText;
  readonly placeGain: number;
  readonly kindGain: number;
  /** From this gain by words on, place and description count in full; 0 without words. */
  readonly answeringGain: number;
  /** Observations of the kind state their topic; descriptions count less for those that do not. */
  readonly saysItself: boolean;
  /** Start of every score: 1 if no word can add a gain, so that factors still order; else 0. */
  readonly base: number;
  /** Maximum over all kinds, whatever the filters allow, so that filters change no score. */
  readonly highest: number;
  readonly answering: AnsweringParts;
  /** Whether the plan has words other than those that name a kind. */
  readonly asksWords: boolean;
  readonly ranksByWords: boolean;
  readonly unscoredTerms: readonly string[];
}

export function prepareScoring(plan: Plan, filters: SearchFilters, statistics: TermStatistics): Scoring {
  const corpus = searchesEvents(filters) ? 'observations' : 'descriptions';
  const weighed = weighIn(corpus, plan.activity, statistics);
  const own = weightiest(weighed);
  const asked = own.filter(isTopicTerm);
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
    ranksByWords: asked.length > 0 || context.some(isTopicTerm),
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

/** A search for profiles uses frequencies of descriptions, because profiles are descriptions. */
export function searchesEvents(filters: SearchFilters): boolean {
  return filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
}

function weighIn(corpus: ScoredText['corpus'], terms: Plan['activity'], statistics: TermStatistics): WeighedTerm[] {
  return weighTerms(terms, statistics[corpus].documents, (word) => {
    const known = statistics.words.get(word);
    return known && { lexeme: known.lexeme, documents: known[corpus] };
  });
}

/** Only then do kind names retrieve observations of other kinds. Depends only on the plan. */
export function namesOnlyKinds({ activity, description }: Plan): boolean {
  return ![...activity, ...description].some(isTopicTerm);
}

/** A filing of these kinds names the event and the people, but not the company's trade. */
const SILENT_KINDS: ReadonlySet<Kind> = new Set([Kind.LEADERSHIP_CHANGE, Kind.PARTNERSHIP, Kind.FUNDING_ROUND]);

function saysItself({ kinds }: Plan): boolean {
  return kinds.some(({ kind, factor }) => factor > 1 && !SILENT_KINDS.has(kind));
}

function weightiest(terms: readonly WeighedTerm[]): WeighedTerm[] {
  const rank = (term: WeighedTerm) => Math.min(1, term.namesKinds.length);
  return terms.toSorted((a, b) => rank(a) - rank(b) || weightOf(b) - weightOf(a)).slice(0, SCORED_TERMS);
}

function highestGain(terms: readonly WeighedTerm[]): number {
  return terms.reduce((total, term) => total + weightOf(term) * (K1 + 1), 0);
}
