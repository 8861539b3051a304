import type { Plan, Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { NAMED_KIND, OTHER_KIND } from '@ces/search/planning/weights';
import { CONTEXT_WEIGHT } from '@ces/search/ranking/weights';
import { RELATED_WEIGHT } from '@ces/search/vocabulary/load-vocabulary';

/** Modifies a plan. The ranking code does not change. */
export type Change = (plan: Plan) => Plan;

/** From the simplest ranking to the complete one. Each step adds one part. */
export const STEPS: readonly (readonly [string, Change])[] = [
  [
    'own text, BM25',
    (plan) => ({ ...withoutRelated(unparted(plan)), description: [], kinds: [], places: [], ...NO_TIME }),
  ],
  ['+ profile', (plan) => ({ ...withoutRelated(unparted(plan)), kinds: [], places: [], ...NO_TIME })],
  ['+ kinds, places, times', (plan) => withoutRelated(unparted(plan))],
  ['+ company told from activity', withoutRelated],
  ['+ related words', (plan) => plan],
];

export const WITHOUT: readonly (readonly [string, Change])[] = [
  ['without profile', (plan) => ({ ...plan, description: [] })],
  ['without kinds', (plan) => ({ ...plan, kinds: [] })],
  ['without places', (plan) => ({ ...plan, places: [] })],
  ['without parting', unparted],
  ['without related words', withoutRelated],
  ['without typed facts', withoutFacts],
];

/** Constants that were tuned on judged queries. */
export interface Constants {
  readonly context: number;
  readonly related: number;
  readonly namedKind: number;
  readonly otherKind: number;
}

export const CHOSEN: Constants = {
  context: CONTEXT_WEIGHT,
  related: RELATED_WEIGHT,
  namedKind: NAMED_KIND,
  otherKind: OTHER_KIND,
};

/** Rescales a plan to other constants. This works because gains are linear in the weights. */
export function withConstants({ context, related, namedKind, otherKind }: Constants): Change {
  const relate = (term: Term): Term => ({
    ...term,
    related: term.related.map((one) => ({ ...one, weight: (one.weight * related) / RELATED_WEIGHT })),
  });
  return (plan) => ({
    ...plan,
    activity: plan.activity.map(relate),
    description: plan.description
      .map(relate)
      .map((term) => ({ ...term, weight: (term.weight * context) / CONTEXT_WEIGHT })),
    kinds: plan.kinds.map((kind) => ({ ...kind, factor: kind.factor > 1 ? namedKind : otherKind })),
  });
}

const NO_TIME = { since: undefined, until: undefined } as unknown as Pick<Plan, 'since' | 'until'>;

function unparted(plan: Plan): Plan {
  const activity = plan.activity
    .filter((term) => term.namesKinds.length === 0)
    .map((term): Term => ({ ...term, weight: 1 }));
  return { ...plan, activity, description: plan.description.length > 0 ? activity : [] };
}

function withoutRelated(plan: Plan): Plan {
  const bare = (terms: readonly Term[]) =>
    terms.filter((term) => term.words.length > 0).map((term): Term => ({ ...term, related: [] }));
  return { ...plan, activity: bare(plan.activity), description: bare(plan.description) };
}

/**
 * Removes conditions on amounts, rounds, capacities and stages, and their lookup terms. The words
 * of the query remain.
 */
function withoutFacts(plan: Plan): Plan {
  const asked = new Set(plan.facts.map(({ text }) => text));
  return { ...plan, facts: [], activity: plan.activity.filter(({ text }) => !asked.has(text)) };
}
