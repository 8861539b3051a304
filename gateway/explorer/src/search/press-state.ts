import type { Run } from './run.ts';

/** What pressing Search would mean: a search of its own, a second press of one that is on its way, or paying for an answer that is there. */
export type PressState = 'new' | 'on-its-way' | 'answered';

/** `search` is the form as the query of its address. */
export function pressStateOf(search: string, run: Run | undefined): PressState {
  const [first] = run?.pages ?? [];
  if (run?.search !== search || first?.endedBy !== undefined) return 'new';
  return first?.answered ? 'answered' : 'on-its-way';
}

/** Answers come faster than the second click of a double click, in milliseconds. */
const ONE_PRESS_MS = 1_000;

/** Whether pressing Search now begins a search, instead of being the press before once more: a double click pays once. */
export function beginsSearch(search: string, run: Run | undefined, now: number): boolean {
  const state = pressStateOf(search, run);
  const sincePress = now - (run?.pages[0]?.pressedAt ?? 0);
  return state === 'new' || (state === 'answered' && !(sincePress >= 0 && sincePress < ONE_PRESS_MS));
}
