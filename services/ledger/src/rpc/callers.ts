import type { CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, SUPPORT, VIEWERS } from '@ces/chassis/rpc/operator';

/** Least privilege: only operations moves units; the gateway and operations take call limits. */
export const callers: CallerPolicy = {
  'ces.ledger.v1.LedgerService': {
    Authenticate: ['gateway', 'operations'],
    ListPrincipalChanges: ['gateway'],
    GetSigningKeys: ['operations'],
    Reserve: ['operations'],
    Settle: ['operations'],
    Release: ['operations'],
    Reverse: ['operations'],
    GetRetention: ['operations'],
    Charge: ['operations'],
    Post: ['operations'],
    GetAllowance: ['gateway', 'operations', VIEWERS],
    GetUsageReport: ['gateway', VIEWERS],
    GetUsageStatement: ['operations'],
    ListEntries: ['operations'],
    ListHolds: ['operations', VIEWERS],
  },
  'ces.ledger.v1.CallLimitService': { Take: ['gateway', 'operations'] },
  'ces.ledger.v1.LedgerAdminService': {
    ListAccounts: [VIEWERS],
    GetSubscription: [VIEWERS],
    ListPlans: [VIEWERS],
    ListCredentials: [VIEWERS],
    VerifyLedger: [VIEWERS],
    ListMovements: ['operations', VIEWERS],
    IssueCredential: [SUPPORT],
    RotateCredential: [SUPPORT],
    RevokeCredential: [SUPPORT],
    '*': [OPERATORS],
  },
  'ces.audit.v1.AuditService': { '*': [VIEWERS] },
  'ces.restore.v1.RestoreService': { '*': [OPERATORS] },
};
