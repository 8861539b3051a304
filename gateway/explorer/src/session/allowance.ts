import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';

/** Request units that are left, as the newest answer of the service said in its header. */
export interface RequestUnitsLeft {
  readonly window: number;
  readonly week: number;
}

const REQUEST_UNITS_LEFT = ['request-units-left'];

/** Request units left; undefined before the first answer. */
export function useRequestUnitsLeft(): RequestUnitsLeft | undefined {
  const { data } = useQuery<RequestUnitsLeft>({
    queryKey: REQUEST_UNITS_LEFT,
    queryFn: () => Promise.reject(new Error('No answer has said it yet.')),
    enabled: false,
  });
  return data;
}

/** A fetch that notes what each answer says of the allowance. */
export function fetchNoting(queryClient: QueryClient): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const left = parseRateLimit(response.headers.get('ratelimit'));
    if (left) queryClient.setQueryData(REQUEST_UNITS_LEFT, left);
    return response;
  };
}

/** `"window";r=59;t=18000, "week";r=499;t=604800` (`RateLimit`, IETF draft). */
export function parseRateLimit(header: string | null): RequestUnitsLeft | undefined {
  const left = (name: string) => new RegExp(`"${name}";r=(\\d+)`).exec(header ?? '')?.[1];
  const [window, week] = [left('window'), left('week')];
  if (window === undefined || week === undefined) return undefined;
  return { window: Number(window), week: Number(week) };
}
