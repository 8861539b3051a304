import { type UseQueryResult, useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import type { Run, RunPage } from '../runs/run.ts';
import { changePage } from '../runs/runs.ts';
import { useSession } from '../session/session.tsx';
import { askPage, type PageAnswer, replayPage } from './ask-page.ts';

/** Keyed by request key: never refetches by itself. A failed page waits for the user. */
export function usePages(run: Run): readonly UseQueryResult<PageAnswer>[] {
  const asker = useAsker();
  return useQueries({
    queries: run.pages.map((page) => ({
      queryKey: pageQuery(page),
      queryFn: () => askPage(asker, run, page),
      enabled: page.endedBy === undefined,
    })),
  });
}

export function useContinuePage(): (page: RunPage) => void {
  const { queryClient } = useAsker();
  return (page) => {
    // The change enables the query; one that failed in this tab also needs a reset to run.
    changePage(queryClient, page.requestKey, ({ endedBy: _, ...known }) => known);
    queryClient.resetQueries({ queryKey: pageQuery(page) });
  };
}

export function useReplay(run: Run, page: RunPage) {
  const asker = useAsker();
  return useMutation({
    mutationFn: () => replayPage(asker, run, page),
    onSuccess: (answer) => asker.queryClient.setQueryData(pageQuery(page), answer),
  });
}

function useAsker() {
  const { ces } = useSession();
  return { ces, queryClient: useQueryClient() };
}

function pageQuery({ requestKey }: RunPage): readonly string[] {
  return ['page', requestKey];
}
