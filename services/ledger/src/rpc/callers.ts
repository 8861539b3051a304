import type { CallerPolicy } from '@ces/chassis/rpc/caller';

/** Least privilege: nothing but operations moves units, nothing but the command line administers; operations compares. */
export const callers: CallerPolicy = {
  'ces.ledger.v1.LedgerService': {
    Authenticate: ['gateway', 'operations'],
    Reserve: ['operations'],
    Settle: ['operations'],
    Release: ['operations'],
    Reverse: ['operations'],
    GetRetention: ['operations'],
    Charge: ['operations'],
    GetAllowance: ['gateway', 'operations', 'admin'],
    GetUsageReport: ['gateway', 'admin'],
    ListHolds: ['operations', 'admin'],
  },
  'ces.ledger.v1.LedgerAdminService': { ListMovements: ['operations', 'admin'], '*': ['admin'] },
  'ces.restore.v1.RestoreService': { '*': ['admin'] },
};
