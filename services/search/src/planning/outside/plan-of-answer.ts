import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { kindOf } from '@ces/proto/catalog';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type Plan,
  PlanSchema,
  Retrieval,
  type SearchFilters,
  type Term,
  TermSchema,
} from '@ces/proto/ces/search/v1/search_pb.ts';
import { wordsOf } from '../../text/words.ts';
import { RELATED_WEIGHT, type Vocabulary } from '../../vocabulary/load-vocabulary.ts';
import { findKinds } from '../kinds.ts';
import { findPlaces } from '../places.ts';
import { kindWeights, placesOf, searchesOnlyProfiles } from '../plan-parts.ts';
import { parseQuerySyntax } from '../query-syntax.ts';
import { tokenise } from '../tokens.ts';
import { PART_WEIGHT } from '../weights.ts';
import type { PlannerAnswer } from './answer-schema.ts';

const PHRASE_WORDS = 8;
const DESCRIPTION_IN_ACTIVITY = 0.35;

/** Restrictions come only from the query, whatever the answer contains. */
export function planOfAnswer(
  query: string,
  answer: PlannerAnswer,
  filters: SearchFilters,
  vocabulary: Vocabulary,
  planner: string,
): Plan {
  const { phrases, excluded } = parseQuerySyntax(query);
  const profilesAlone = searchesOnlyProfiles(filters);
  const company = answer.company.flatMap((item) => termsOf(item, vocabulary));
  const damped = company.map((term) => ({
    ...term,
    weight: term.weight * (profilesAlone ? 1 : DESCRIPTION_IN_ACTIVITY),
  }));
  const activity = distinct([...answer.activity.flatMap((item) => termsOf(item, vocabulary)), ...damped]);
  const places = answer.places.map((place) => placeOf(place, vocabulary)).filter(({ names }) => names[0] !== '');
  const kinds = new Set(answer.kinds.map(kindOf));
  return create(PlanSchema, {
    version: 1,
    planner,
    query,
    activity,
    description: profilesAlone ? [] : distinct(company.length > 0 ? company : activity),
    places: placesOf(places, filters),
    kinds: kindWeights(kinds),
    phrases: [...phrases],
    excluded: [...excluded],
    ...(answer.since !== null && { since: timestampFromDate(new Date(`${answer.since}T00:00:00Z`)) }),
    retrieval: Retrieval.LEXICAL,
    notRecorded: [...findKinds(wordsOf(query), new Set(), vocabulary, false).notRecorded],
    empty: activity.length === 0 && places.length === 0 && kinds.size === 0,
  });
}

function termsOf({ words: text, weight, related }: PlannerAnswer['activity'][number], vocabulary: Vocabulary): Term[] {
  const words = wordsOf(text)
    .filter((word) => !vocabulary.stopWords.has(word))
    .slice(0, PHRASE_WORDS);
  const others = related.map((phrase) => ({ words: wordsOf(phrase).slice(0, PHRASE_WORDS), weight: RELATED_WEIGHT }));
  const known = others.filter((phrase) => phrase.words.length > 0);
  const [word] = words;
  if (word === undefined) return [];
  if (words.length === 1) return [create(TermSchema, { words: [word], weight, related: known, text })];
  const phrase = { words, weight: RELATED_WEIGHT };
  return [
    create(TermSchema, { weight, related: [phrase, ...known], text }),
    ...words.map((part) => create(TermSchema, { words: [part], weight: weight * PART_WEIGHT, text: part })),
  ];
}

function distinct(terms: readonly Term[]): Term[] {
  const weakestFirst = terms.toSorted((a, b) => a.weight - b.weight);
  return [...new Map(weakestFirst.map((term) => [term.words[0] ?? term.text, term])).values()];
}

function placeOf(text: string, vocabulary: Vocabulary) {
  const [known] = findPlaces(tokenise(`in ${text}`), vocabulary);
  return known ?? { names: [wordsOf(text).join(' ')], near: [], except: [], country: Country.UNSPECIFIED };
}
