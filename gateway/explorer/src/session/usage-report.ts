import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { UsageReport } from './client.ts';
import { useSession } from './session.tsx';

export const USAGE_REPORT = ['usage-report'];

/** Plan, units and limits of the subscription: unmetered, read again when a paid call has ended or after half a minute. */
export function useUsageReport(): UseQueryResult<UsageReport> {
  const { ces } = useSession();
  return useQuery({
    queryKey: USAGE_REPORT,
    queryFn: () => ces.getUsage(),
    staleTime: 30_000,
    refetchOnMount: true,
  });
}
