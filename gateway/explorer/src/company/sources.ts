import { useQuery } from '@tanstack/react-query';
import type { Source } from '../session/client.ts';
import { useSession } from '../session/session.tsx';

/** Licence and attribution of every source; none while they are on their way. */
export function useSources(): readonly Source[] {
  const { ces } = useSession();
  const { data } = useQuery({ queryKey: ['sources'], queryFn: () => ces.getSources() });
  return data?.sources ?? [];
}
