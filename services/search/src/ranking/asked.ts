import { Country, type Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';

// What a plan asks for, read off it by every engine alike.

/** All words that the ranking of a plan asks statistics of. */
export function planWords(plan: Plan): string[] {
  return [...plan.activity, ...plan.description].flatMap((term) => [
    ...term.words,
    ...term.related.flatMap((related) => related.words),
  ]);
}

/** Kinds that the words name. */
export function namedKinds(plan: Plan): Kind[] {
  return plan.kinds.filter((kind) => kind.factor > 1).map((kind) => kind.kind);
}

/** A kind that weighs less is kept out: one that is read off words leaves the others half of their weight, one that is named less. */
const LEAST_OPEN = 0.5;

/**
 * Kinds of which a company that fits by its description retrieves observations; none where any will do. A kind that was only
 * read off words keeps no other out: a filter that leaves the others alone must not find what went unfound without it.
 */
export function kindsOfDescribed(plan: Plan): Kind[] {
  const isOpen = plan.kinds.every(({ factor }) => factor >= LEAST_OPEN);
  return isOpen ? [] : namedKinds(plan);
}

/**
 * Whether words retrieve nothing by themselves: the activity is named by its kind alone ("executive departures at
 * airlines"), so that any of the kind is an answer, or there is none ("in Canada"), so that anything inside the filters
 * is. What lies in a smaller place is found by the text alone.
 */
export function asksForNewest(plan: Plan): boolean {
  const namesOnlyKind = plan.activity.every((term) => term.namesKinds.length > 0 || term.weight < 0.5);
  const hasWords = plan.activity.length + plan.description.length > 0;
  const namesNothing = !hasWords && (plan.places.length === 0 || countriesOf(plan).length > 0);
  return namesOnlyKind && (namedKinds(plan).length > 0 || namesNothing);
}

/** Countries among the places that the words name. */
export function countriesOf({ places }: Plan): Country[] {
  return places.map((place) => place.country).filter((country) => country !== Country.UNSPECIFIED);
}
