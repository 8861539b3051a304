import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type Plan, PlanSchema, Retrieval, type SearchFilters, type Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { findAmounts } from './amounts.ts';
import { findFacts } from './facts.ts';
import { findFoundings } from './foundings.ts';
import { findKinds, type KindMention } from './kinds.ts';
import { avoidedBy, findNegationScope, requestedPlaces } from './negation-scope.ts';
import { findPlaces, isRequiredByFilter } from './places.ts';
import { kindWeights, placesOf, placeTerms, searchesOnlyProfiles } from './plan-parts.ts';
import { findQueryPreamble } from './query-preamble.ts';
import { parseQuerySyntax } from './query-syntax.ts';
import { termsOf, type WeightedToken } from './terms.ts';
import { findTimes, requestedTime } from './times.ts';
import { type Token, tokenise } from './tokens.ts';
import { IN_BACKGROUND } from './weights.ts';

const PLANNER = 'builtin/8';
const PLAN_VERSION = 1;
/** A question needs fewer words, and texts contain shorter ones. */
const SEARCHED_WORDS = 120;
const WORD_LENGTH = 100;

/** Deterministic for a query, filters and date. */
export function planQuery(query: string, filters: SearchFilters, vocabulary: Vocabulary, now: Date): Plan {
  const syntax = parseQuerySyntax(query);
  const amounts = findAmounts(syntax.text);
  const tokens = tokenise(amounts.rest);
  const words = tokens.map((token) => token.word);
  const named = findPlaces(tokens, vocabulary);
  const { times, ...foundings } = findFoundings(
    findTimes(tokens, now, new Set(named.flatMap(indexesOf))),
    tokens,
    filters.kinds.length === 0 || filters.kinds.includes(Kind.COMPANY_PROFILE),
  );
  const inTimes = new Set(times.flatMap(indexesOf));
  const negated = findNegationScope(tokens, named, times);
  const preamble = findQueryPreamble(tokens);
  const time = requestedTime(times, (index) => negated.tokens.has(index));
  const placed = requestedPlaces(named, negated, vocabulary);
  const isInBackground = (place: { readonly start: number }) => preamble.background.has(place.start);
  const places = placed.filter((place) => !isInBackground(place));
  const taken = new Set([
    ...inTimes,
    ...foundings.tokens,
    ...negated.tokens,
    ...preamble.instructions,
    ...placed.filter((place) => !place.kept || isRequiredByFilter(place, filters.countries)).flatMap(indexesOf),
  ]);
  const kinds = findKinds(words, taken, vocabulary, filters.kinds.includes(Kind.COMPANY_PROFILE));
  const naming = kinds.mentions.filter(({ searched }) => searched === 'no');
  const supporting = kindsByIndex(kinds.mentions.filter(({ searched }) => searched === 'support'));
  for (const index of naming.flatMap(indexesOf)) taken.add(index);
  const facts = findFacts(amounts.mentions, foundings.conditions, tokens, taken);
  for (const index of facts.letters) taken.add(index);
  const free = tokens.filter((token) => !taken.has(token.index) && !vocabulary.stopWords.has(token.word));
  const specific = free.filter((token) => !vocabulary.generic.has(token.word));
  const asksBesideWords = [kinds.named.size, places.length, negated.runs.length, syntax.excluded.length].some(Boolean);
  const asksAnything = asksBesideWords || times.length > 0 || facts.terms.length > 0;
  const { content, leftOut } = withinBounds(specific.length > 0 || asksAnything ? specific : free);
  const weighed: WeightedToken[] = content.map((token) => ({
    token,
    supportsKinds: supporting.get(token.index) ?? [],
    weight: preamble.background.has(token.index) ? IN_BACKGROUND : 1,
  }));
  const activity = termsOf(weighed, vocabulary);
  return create(PlanSchema, {
    version: PLAN_VERSION,
    planner: PLANNER,
    query,
    activity: [
      ...activity,
      ...placeTerms(placed.filter(isInBackground)),
      ...facts.terms,
      ...namingTerms(naming, tokens, activity, vocabulary),
    ],
    description: searchesOnlyProfiles(filters) ? [] : activity,
    places: placesOf(places, filters),
    kinds: kindWeights(kinds.named),
    phrases: [...syntax.phrases],
    excluded: [...syntax.excluded],
    avoided: avoidedBy(
      negated,
      named,
      ({ index }) => inTimes.has(index),
      new Set(content.map(({ word }) => word)),
      vocabulary,
    ),
    facts: [...facts.conditions],
    ...(time.since && { since: timestampFromDate(time.since) }),
    ...(time.until && { until: timestampFromDate(time.until) }),
    retrieval: Retrieval.LEXICAL,
    notRecorded: [...kinds.notRecorded],
    empty: content.length === 0 && syntax.phrases.length === 0 && !asksAnything,
    leftOut,
  });
}

function withinBounds(tokens: readonly Token[]): { readonly content: readonly Token[]; readonly leftOut: string[] } {
  const content = tokens.filter(({ word }) => word.length <= WORD_LENGTH).slice(0, SEARCHED_WORDS);
  const searched = new Set(content.map(({ word }) => word));
  return { content, leftOut: [...new Set(tokens.map(({ word }) => word))].filter((word) => !searched.has(word)) };
}

function kindsByIndex(mentions: readonly KindMention[]): ReadonlyMap<number, readonly Kind[]> {
  return new Map(mentions.flatMap((mention) => indexesOf(mention).map((at) => [at, [mention.kind]] as const)));
}

/** Words that only name a kind become terms for all other kinds, unless they are terms already. */
function namingTerms(
  mentions: readonly KindMention[],
  tokens: readonly Token[],
  searched: readonly Term[],
  vocabulary: Vocabulary,
): Term[] {
  const known = new Set(searched.flatMap((term) => term.words.slice(0, 1)));
  const words = tokens.map((token) => token.word);
  const kindsOf = new Map<string, Set<Kind>>();
  for (const { kind, ...mention } of mentions)
    for (const at of indexesOf(mention)) {
      const word = words[at] ?? '';
      kindsOf.set(word, (kindsOf.get(word) ?? new Set()).add(kind));
    }
  const indexes = new Set(mentions.flatMap(indexesOf));
  const naming = tokens.filter(
    ({ index, word }) => indexes.has(index) && !vocabulary.stopWords.has(word) && !known.has(word),
  );
  const weighed = naming.map((token) => ({ token, weight: 1 }));
  return termsOf(weighed, vocabulary).map((term) => ({
    ...term,
    namesKinds: [...(kindsOf.get(term.words[0] ?? '') ?? [])],
  }));
}

function indexesOf({ start, length }: { readonly start: number; readonly length: number }): number[] {
  return Array.from({ length }, (_, offset) => start + offset);
}
