import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { companyPath } from '../company/company-link.tsx';
import { createRequestKey } from '../session/client.ts';
import { useSession } from '../session/session.tsx';
import { USAGE_REPORT } from '../session/usage-report.ts';
import { companyOf } from './company-of.ts';
import { keepKey, readKeptKey } from './kept-look-ups.ts';

/** Reading it again is free. */
export function useDelivered(id: number, usageId: number | undefined) {
  const { ces } = useSession();
  return useQuery({
    queryKey: ['delivered', usageId, id],
    queryFn: async () => {
      const result = await ces.resume(usageId ?? 0).done();
      return { found: companyOf(result, id) ?? 'another', usage: result.usage };
    },
    enabled: usageId !== undefined,
    staleTime: 0,
    refetchOnMount: true,
    // Shows the old record until the new one is here.
    placeholderData: (previous) => previous,
  });
}

/** Keyed by its request key, so that a reload before the answer does not pay again. */
export function useCompanyLookUp(id: string, shownUsageId: number | undefined) {
  const { ces } = useSession();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [requestKey, setRequestKey] = useState(() => (shownUsageId === undefined ? readKeptKey(id) : undefined));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['company-look-up', requestKey],
    queryFn: () => {
      const options = requestKey === undefined ? {} : { requestKey };
      return ces.lookUpCompanies({ ids: [Number(id)] }, options).done();
    },
    enabled: requestKey !== undefined,
  });
  const usageId = data?.usage.id;
  useEffect(() => {
    if (usageId === undefined) return;
    void queryClient.invalidateQueries({ queryKey: USAGE_REPORT });
    navigate(companyPath(Number(id), usageId), { replace: true });
  }, [queryClient, navigate, id, usageId]);
  return {
    error,
    isFetching,
    requestKey,
    again: () => void refetch(),
    start() {
      const key = createRequestKey();
      keepKey(id, key);
      setRequestKey(key);
    },
  };
}
