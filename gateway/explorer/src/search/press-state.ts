import type { Run } from './run.ts';

/** What pressing Search would mean: a search of its own, a second press of one that is on its way, or paying for an answer that is there. */
export type PressState = 'new' | 'on-its-way' | 'answered';

/** `search` is the form as the query of its address. */
export function pressStateOf(search: string, run: Run | undefined): PressState {
  const [first] = run?.pages ?? [];
  if (run?.search !== search || first?.endedBy !== undefined) return 'new';
  return first?.answered ? 'answered' : 'on-its-way';
}
