import type { CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, VIEWERS } from '@ces/chassis/rpc/operator';

export const callers: CallerPolicy = {
  'ces.acquisition.v1.AcquisitionService': {
    Acquire: ['operations'],
  },
  'ces.acquisition.v1.AcquisitionAdminService': {
    ListSources: [VIEWERS],
    GetRun: [VIEWERS],
    ListRuns: [VIEWERS],
    VerifyEvidence: [VIEWERS],
    '*': [OPERATORS],
  },
  'ces.audit.v1.AuditService': { '*': [VIEWERS] },
  'ces.restore.v1.RestoreService': { '*': [OPERATORS] },
};
