import type { Run } from '../runs/run.ts';

/** A new search, a repeated press, or a paid repeat of an answered one. */
export type PressState = 'new' | 'on-its-way' | 'answered';

/** `search` is the form as a URL query. */
export function pressStateOf(search: string, run: Run | undefined): PressState {
  const [first] = run?.pages ?? [];
  if (run?.search !== search || first?.endedBy !== undefined) return 'new';
  return first?.answered ? 'answered' : 'on-its-way';
}

/** Maximum time between the clicks of a double click; an answer may arrive between them. */
const ONE_PRESS_MS = 1_000;

/** A double click starts only one search, so that it is charged once. */
export function beginsSearch(search: string, run: Run | undefined, now: number): boolean {
  const state = pressStateOf(search, run);
  const sincePress = now - (run?.pages[0]?.pressedAt ?? 0);
  return state === 'new' || (state === 'answered' && !(sincePress >= 0 && sincePress < ONE_PRESS_MS));
}
