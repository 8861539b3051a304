import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';

export interface RequestUnitsLeft {
  readonly window: number;
  readonly week: number;
}

const REQUEST_UNITS_LEFT = ['request-units-left'];

export function useRequestUnitsLeft(): RequestUnitsLeft | undefined {
  const { data } = useQuery<RequestUnitsLeft>({
    queryKey: REQUEST_UNITS_LEFT,
    queryFn: () => Promise.reject(new Error('No answer has reported it yet.')),
    enabled: false,
  });
  return data;
}

export function fetchNoting(queryClient: QueryClient): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const left = parseRateLimit(response.headers.get('ratelimit'));
    if (left) queryClient.setQueryData(REQUEST_UNITS_LEFT, left);
    return response;
  };
}

export function parseRateLimit(header: string | null): RequestUnitsLeft | undefined {
  const left = (name: string) => new RegExp(`"${name}";r=(\\d+)`).exec(header ?? '')?.[1];
  const [window, week] = [left('window'), left('week')];
  if (window === undefined || week === undefined) return undefined;
  return { window: Number(window), week: Number(week) };
}
