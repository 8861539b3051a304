import { Country, type Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { WeighedTerm } from './weigh-terms.ts';

// These functions derive from a plan what every engine needs in the same way.

export function planWords(plan: Plan): string[] {
  return [...plan.activity, ...plan.description].flatMap((term) => [
    ...term.words,
    ...term.related.flatMap((related) => related.words),
  ]);
}

/** Observations of a kind need not contain its name. */
export function isTopicTerm({ namesKinds, supportsKinds }: Pick<WeighedTerm, 'namesKinds' | 'supportsKinds'>): boolean {
  return namesKinds.length === 0 && supportsKinds.length === 0;
}

export function namedKinds(plan: Plan): Kind[] {
  return plan.kinds.filter((kind) => kind.factor > 1).map((kind) => kind.kind);
}

/** Words for companies leave other kinds half of their weight, a named kind less. */
const LEAST_OPEN = 0.5;

export function namesKindsForCertain({ kinds }: Plan): boolean {
  return kinds.some(({ factor }) => factor < LEAST_OPEN);
}

/** Empty for all. Words for companies exclude no kind: a narrower filter must not find more. */
export function describedKinds(plan: Plan): Kind[] {
  return namesKindsForCertain(plan) ? namedKinds(plan) : [];
}

/** Kinds that fully express the activity ("executive departures at airlines"). */
export function newestKinds(plan: Plan): Kind[] {
  const isMet = (term: Term, kind: Kind) =>
    term.namesKinds.length > 0 || term.supportsKinds.includes(kind) || term.weight < 0.5;
  return namedKinds(plan).filter((kind) => plan.activity.every((term) => isMet(term, kind)));
}

/** Whether anything within the filters answers: the words only name kinds, if there are any. */
export function retrievesNewest(plan: Plan): boolean {
  const hasWords = plan.activity.length + plan.description.length > 0;
  const namesNothing = !hasWords && (plan.places.length === 0 || countriesOf(plan).length > 0);
  return newestKinds(plan).length > 0 || (namesNothing && namedKinds(plan).length === 0);
}

export function countriesOf({ places }: Plan): Country[] {
  return places.map((place) => place.country).filter((country) => country !== Country.UNSPECIFIED);
}
