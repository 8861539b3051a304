import { CesClient, type UsageReport } from '@ces/client';
import { useQuery } from '@tanstack/react-query';
import { readApiKey } from '../session/api-key.ts';
import { USAGE_REPORT } from '../session/usage-report.ts';
import { type RateLimits, readRateLimits } from './rate-limit.ts';

export interface AllowanceReport {
  readonly report: UsageReport;
  readonly rates: RateLimits | undefined;
  readonly readAt: Date;
}

const AGAIN_AFTER_MS = 30_000;

export function useAllowance() {
  return useQuery({
    queryKey: [...USAGE_REPORT, 'with-headers'],
    queryFn: readAllowance,
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: AGAIN_AFTER_MS,
  });
}

async function readAllowance(): Promise<AllowanceReport> {
  let headers = new Headers();
  const client = new CesClient({
    baseUrl: '',
    apiKey: readApiKey()?.apiKey ?? '',
    fetch: async (...call: Parameters<typeof fetch>) => {
      const response = await fetch(...call);
      headers = response.headers;
      return response;
    },
  });
  const report = await client.getUsage();
  const rates = readRateLimits(headers.get('ratelimit-policy'), headers.get('ratelimit'));
  return { report, rates, readAt: new Date() };
}
