import type { SupportingObservation } from '../session/client.ts';
import type { DemandClass } from '../words/demand-classes.ts';
import { KINDS, type Kind } from '../words/kinds.ts';

/** How many observations of a kind happened in a week. */
export interface KindWeek {
  readonly kind: Kind;
  readonly demandClass: DemandClass;
  /** Its Monday, 00:00 UTC. */
  readonly week: Date;
  readonly count: number;
}

const DAY_MS = 86_400_000;
const KIND_ORDER = Object.keys(KINDS);

type Counted = Pick<SupportingObservation, 'kind' | 'demand_class' | 'occurred_at'>;

/** Dated observations by kind and week, in the order of kinds and time. Those without an event date are in no week. */
export function countByKindAndWeek(observations: readonly Counted[]): readonly KindWeek[] {
  const counts = new Map<string, KindWeek>();
  for (const { kind, demand_class: demandClass, occurred_at } of observations) {
    if (occurred_at === null) continue;
    const week = mondayOf(new Date(occurred_at));
    const key = `${kind} ${week.getTime()}`;
    counts.set(key, { kind, demandClass, week, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const order = (one: KindWeek) => KIND_ORDER.indexOf(one.kind);
  return [...counts.values()].sort((a, b) => order(a) - order(b) || a.week.getTime() - b.week.getTime());
}

/** The Monday of an instant's week, 00:00 UTC. */
export function mondayOf(instant: Date): Date {
  const day = Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate());
  const sinceMonday = (instant.getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * DAY_MS);
}
