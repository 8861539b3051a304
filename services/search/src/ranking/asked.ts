import { Country, type Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { WeighedTerm } from './weigh-terms.ts';

// What a plan asks for, read off it by every engine alike.

/** All words that the ranking of a plan asks statistics of. */
export function planWords(plan: Plan): string[] {
  return [...plan.activity, ...plan.description].flatMap((term) => [
    ...term.words,
    ...term.related.flatMap((related) => related.words),
  ]);
}

/** Whether a word is asked of every text: it does not name a kind, whose observations need not have it. */
export function isAsked({ namesKinds, supportsKinds }: Pick<WeighedTerm, 'namesKinds' | 'supportsKinds'>): boolean {
  return namesKinds.length === 0 && supportsKinds.length === 0;
}

/** Kinds that the words name. */
export function namedKinds(plan: Plan): Kind[] {
  return plan.kinds.filter((kind) => kind.factor > 1).map((kind) => kind.kind);
}

/** A kind that weighs less is kept out: one that is read off words leaves the others half of their weight, one that is named less. */
const LEAST_OPEN = 0.5;

/** Whether words name kinds for certain, whatever the filters leave open. */
export function namesKindsForCertain({ kinds }: Plan): boolean {
  return kinds.some(({ factor }) => factor < LEAST_OPEN);
}

/**
 * Kinds of which a company that fits by its description retrieves observations; none where any will do. A kind that was only
 * read off words keeps no other out: a filter that leaves the others alone must not find what went unfound without it.
 */
export function kindsOfDescribed(plan: Plan): Kind[] {
  return namesKindsForCertain(plan) ? namedKinds(plan) : [];
}

/**
 * Kinds that the activity is named by alone ("executive departures at airlines"), so that any observation of them is an
 * answer, whatever words it has.
 */
export function kindsOfNewest(plan: Plan): Kind[] {
  const isMet = (term: Term, kind: Kind) =>
    term.namesKinds.length > 0 || term.supportsKinds.includes(kind) || term.weight < 0.5;
  return namedKinds(plan).filter((kind) => plan.activity.every((term) => isMet(term, kind)));
}

/**
 * Whether words retrieve nothing by themselves: they name kinds alone, or there are none ("in Canada"), so that anything inside
 * the filters is an answer. What lies in a smaller place is found by the text alone.
 */
export function asksForNewest(plan: Plan): boolean {
  const hasWords = plan.activity.length + plan.description.length > 0;
  const namesNothing = !hasWords && (plan.places.length === 0 || countriesOf(plan).length > 0);
  return kindsOfNewest(plan).length > 0 || (namesNothing && namedKinds(plan).length === 0);
}

/** Countries among the places that the words name. */
export function countriesOf({ places }: Plan): Country[] {
  return places.map((place) => place.country).filter((country) => country !== Country.UNSPECIFIED);
}
