import type { CallerPolicy } from '@ces/chassis/rpc/caller';

/** Operations search; operators may look at that too, and administer. */
export const callers: CallerPolicy = {
  'ces.search.v1.SearchService': { '*': ['operations', 'admin'] },
  'ces.search.v1.SearchAdminService': { '*': ['admin'] },
  'ces.restore.v1.RestoreService': { '*': ['admin'] },
};
