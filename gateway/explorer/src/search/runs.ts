import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { CompanySearchInput } from '../session/client.ts';

/** A search that was pressed in this tab, with what it takes to show it again without a charge. */
export interface Run {
  readonly id: string;
  /** The form, as the query of its address. */
  readonly search: string;
  readonly input: CompanySearchInput;
  readonly background: boolean;
  readonly pages: readonly RunPage[];
}

/** A page that was asked for: an operation with a key of its own. */
export interface RunPage {
  readonly requestKey: string;
  readonly cursor?: string;
  /** When the button was pressed, in milliseconds since 1970. */
  readonly pressedAt: number;
  /** Known from the first answer on, also one that it is pending. */
  readonly usageId?: number;
  /** It was answered before: what comes now is a replay. */
  readonly answered?: true;
  /** The code of the error that ended it; it goes on when the person says so. */
  readonly endedBy?: string;
}

const STORED_AS = 'ces-runs';
const RUNS = ['runs'];
const MAX_RUNS = 30;

/** Searches of this tab, oldest first; they survive a reload and end with the tab. */
export function useRuns(): readonly Run[] {
  const { data } = useQuery({ queryKey: RUNS, queryFn: readRuns, initialData: readRuns });
  return data;
}

export function addRun(queryClient: QueryClient, run: Run): void {
  keep(queryClient, [...readRuns(), run].slice(-MAX_RUNS));
}

/** Changes what is known of a page; of a run that was forgotten meanwhile nothing is kept. */
export function changePage(queryClient: QueryClient, requestKey: string, change: (page: RunPage) => RunPage): void {
  const pages = (run: Run) => run.pages.map((page) => (page.requestKey === requestKey ? change(page) : page));
  keep(
    queryClient,
    readRuns().map((run) => ({ ...run, pages: pages(run) })),
  );
}

export function addPage(queryClient: QueryClient, runId: string, page: RunPage): void {
  const extended = (run: Run) => (run.id === runId ? { ...run, pages: [...run.pages, page] } : run);
  keep(queryClient, readRuns().map(extended));
}

function readRuns(): readonly Run[] {
  const stored = sessionStorage.getItem(STORED_AS);
  return stored === null ? [] : JSON.parse(stored);
}

function keep(queryClient: QueryClient, runs: readonly Run[]): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify(runs));
  queryClient.setQueryData(RUNS, runs);
}
