import type { ListedUsage, UsageFilter } from '@ces/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.tsx';
import { type Period, sinceOf } from './periods.ts';

/** The empty string means no restriction. */
export interface Asked {
  readonly period: Period;
  readonly action: NonNullable<UsageFilter['action']> | '';
  readonly status: NonNullable<UsageFilter['status']> | '';
}

const PAGE = 50;
const AGAIN_WHILE_UNFINISHED_MS = 2_000;

export function useOperations(asked: Asked) {
  const { ces } = useSession();
  const { data, ...query } = useInfiniteQuery({
    queryKey: ['operations', asked],
    queryFn: ({ pageParam }) =>
      ces.listUsages({ ...filtersOf(asked), limit: PAGE, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: ({ state }) => (listed(state.data?.pages).some(isUnfinished) ? AGAIN_WHILE_UNFINISHED_MS : false),
  });
  return { ...query, usages: listed(data?.pages) };
}

function listed(pages: readonly { readonly usages: readonly ListedUsage[] }[] = []): readonly ListedUsage[] {
  return pages.flatMap(({ usages }) => usages);
}

function isUnfinished({ usage: { status } }: ListedUsage): boolean {
  return status === 'pending' || status === 'processing';
}

export function filtersOf({ period, action, status }: Asked) {
  const since = sinceOf(period, new Date());
  return { ...(since && { since }), ...(action && { action }), ...(status && { status }) };
}
