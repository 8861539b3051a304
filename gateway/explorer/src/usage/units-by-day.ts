import type { StatementEntry } from '@ces/client';
import type { Units } from './statement.ts';

/** Units of one day in UTC by action; days without any are there too. */
export interface Day {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly byAction: Readonly<Record<string, number>>;
  readonly total: number;
}

const DAY_MS = 86_400_000;
/** What ran so long ago that its action is no longer known. */
const UNKNOWN_ACTION = 'unknown';

/** Every day from that of `since` to that of `until` (exclusive instant), with what settled on it. */
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

/** Actions that occur, in a fixed order, so that a colour means the same everywhere. */
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
