import { type QueryClient, useQuery } from '@tanstack/react-query';
import { parseRuns } from './parse-runs.ts';
import type { Run, RunPage } from './run.ts';

const STORED_AS = 'ces-runs';
const RUNS = ['runs'];
const MAX_RUNS = 30;

export function useRuns(): readonly Run[] {
  const { data } = useQuery({ queryKey: RUNS, queryFn: readRuns, initialData: readRuns });
  return data;
}

export function addRun(queryClient: QueryClient, run: Run): void {
  keep(queryClient, [...readRuns(), run].slice(-MAX_RUNS));
}

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
  return parseRuns(sessionStorage.getItem(STORED_AS));
}

function keep(queryClient: QueryClient, runs: readonly Run[]): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify(runs));
  queryClient.setQueryData(RUNS, runs);
}
