import type { SupportingObservation } from '../session/client.ts';
import type { DemandClass } from '../words/demand-classes.ts';
import { KINDS, type Kind } from '../words/kinds.ts';

export interface KindWeek {
  readonly kind: Kind;
  readonly demandClass: DemandClass;
  /** Monday of the week, 00:00 UTC. */
  readonly week: Date;
  readonly count: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const KIND_ORDER = Object.keys(KINDS);

type Counted = Pick<SupportingObservation, 'kind' | 'demand_class' | 'occurred_at'>;

/** Sorts by KINDS and time, without undated observations. */
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

export function ticksOf(counts: readonly KindWeek[], most: number): readonly Date[] {
  const times = counts.map(({ week }) => week.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const weeks = counts.length === 0 ? 0 : Math.round((last - first) / WEEK_MS) + 1;
  const step = Math.ceil(weeks / Math.max(1, most));
  return Array.from(
    { length: step === 0 ? 0 : Math.ceil(weeks / step) },
    (_, n) => new Date(first + n * step * WEEK_MS),
  );
}

export function mondayOf(instant: Date): Date {
  const day = Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate());
  const sinceMonday = (instant.getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * DAY_MS);
}
