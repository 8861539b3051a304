import { type UseQueryResult, useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../session/session.tsx';
import { askPage, type PageAnswer, replayPage } from './ask-page.ts';
import type { Run, RunPage } from './run.ts';
import { changePage } from './runs.ts';

/**
 * The pages of a run as they are answered. Each is a query keyed by its request key: it is asked once, kept as long as the tab
 * lives, and never asked again by itself. One that ended with an error waits for the person.
 */
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

/** Goes on with a page that ended with an error, with its key. */
export function useContinuePage(): (page: RunPage) => void {
  const { queryClient } = useAsker();
  return (page) => {
    // Its query is enabled again by this; one that failed in this tab must be told to run.
    changePage(queryClient, page.requestKey, ({ endedBy: _, ...known }) => known);
    queryClient.resetQueries({ queryKey: pageQuery(page) });
  };
}

/** Sends the identical call again and shows its answer in place of the one that is there. */
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
