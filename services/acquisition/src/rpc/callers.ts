import type { CallerPolicy } from '@ces/chassis/rpc/caller';

/** Who may call what: operations for fresh evidence, `ces` for the sources. */
export const callers: CallerPolicy = {
  'ces.acquisition.v1.AcquisitionService': {
    Acquire: ['operations'],
  },
  'ces.acquisition.v1.AcquisitionAdminService': {
    '*': ['admin'],
  },
  'ces.restore.v1.RestoreService': { '*': ['admin'] },
};
