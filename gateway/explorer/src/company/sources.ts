import { useQuery } from '@tanstack/react-query';
import type { Source } from '../session/client.ts';
import { useSession } from '../session/session.tsx';

export function useSources(): readonly Source[] {
  const { ces } = useSession();
  const { data } = useQuery({ queryKey: ['sources'], queryFn: () => ces.getSources() });
  return data?.sources ?? [];
}
