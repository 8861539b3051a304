import type { StatementEntry } from '@ces/client';
import type { Units } from './statement.ts';

export interface Day {
  readonly day: string;
  readonly byAction: Readonly<Record<string, number>>;
  readonly total: number;
}

const DAY_MS = 86_400_000;
const UNKNOWN_ACTION = 'unknown';

/** All days from `since` to `until` (exclusive), including days without units. */
export function unitsByDay(
  entries: readonly StatementEntry[],
  unit: keyof Units,
  since: string,
  until: string,
): readonly Day[] {
  const byDay = Map.groupBy(entries, ({ settled_at: at }) => dayOf(Date.parse(at)));
  const days: Day[] = [];
  for (let at = Math.floor(Date.parse(since) / DAY_MS) * DAY_MS; at < Date.parse(until); at += DAY_MS) {
    const ofDay = byDay.get(dayOf(at)) ?? [];
    const byAction: Record<string, number> = {};
    for (const { action, [unit]: units } of ofDay)
      byAction[action ?? UNKNOWN_ACTION] = (byAction[action ?? UNKNOWN_ACTION] ?? 0) + units;
    days.push({ day: dayOf(at), byAction, total: ofDay.reduce((sum, entry) => sum + entry[unit], 0) });
  }
  return days;
}

/** The order is fixed, so that an action always has the same colour. */
export function actionsOf(days: readonly Day[]): readonly string[] {
  return ACTIONS.filter((action) => days.some(({ byAction }) => byAction[action] !== undefined));
}

const ACTIONS = [
  'company_search',
  'company_lookup',
  'observation_search',
  'observation_lookup',
  'diagnostic',
  UNKNOWN_ACTION,
] as const;

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
