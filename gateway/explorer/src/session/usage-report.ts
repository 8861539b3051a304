import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { UsageReport } from './client.ts';
import { useSession } from './session.tsx';

export const USAGE_REPORT = ['usage-report'];

export function useUsageReport(): UseQueryResult<UsageReport> {
  const { ces } = useSession();
  return useQuery({
    queryKey: USAGE_REPORT,
    queryFn: () => ces.getUsage(),
    staleTime: 30_000,
    refetchOnMount: true,
  });
}
