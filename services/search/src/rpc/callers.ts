import type { CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, VIEWERS } from '@ces/chassis/rpc/operator';

export const callers: CallerPolicy = {
  'ces.search.v1.SearchService': { '*': ['operations', VIEWERS] },
  'ces.search.v1.SearchAdminService': { RebuildIndex: [OPERATORS], '*': [VIEWERS] },
  'ces.audit.v1.AuditService': { '*': [VIEWERS] },
  'ces.restore.v1.RestoreService': { '*': [OPERATORS] },
};
