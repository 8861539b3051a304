import { QueryClient } from '@tanstack/react-query';

/**
 * Nothing is asked again by itself: a paid call is a query keyed by its request key, or a mutation, and its answer is kept for
 * as long as the tab lives. Unmetered reads say for themselves when they grow old.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnMount: false,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
