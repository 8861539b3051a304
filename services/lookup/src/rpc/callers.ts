import type { CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, SUPPORT, VIEWERS } from '@ces/chassis/rpc/operator';

export const callers: CallerPolicy = {
  'ces.lookup.v1.LookupService': {
    LookUpCompanies: ['operations', VIEWERS],
    LookUpObservations: ['operations', VIEWERS],
    Hydrate: ['operations', VIEWERS],
    Read: ['operations', VIEWERS],
    GetObservation: ['gateway', 'operations', VIEWERS],
    ListChanges: ['search', VIEWERS],
    GetDocuments: ['search', VIEWERS],
    ResolveCompanies: ['operations', 'search', VIEWERS],
    ListSources: ['gateway', VIEWERS],
  },
  'ces.lookup.v1.RecordService': {
    GetEvidence: ['acquisition', VIEWERS],
    GetRecordStatus: ['acquisition', VIEWERS],
    ListEvidence: ['acquisition', VIEWERS],
    ListTakeDowns: [VIEWERS],
    WithdrawEvidence: ['acquisition', SUPPORT],
    RestoreEvidence: ['acquisition', SUPPORT],
    TakeDown: [OPERATORS],
    LiftTakeDown: [OPERATORS],
    MergeCompanies: [OPERATORS],
    SplitCompanies: [OPERATORS],
    '*': ['acquisition', OPERATORS],
  },
  'ces.audit.v1.AuditService': { '*': [VIEWERS] },
  'ces.restore.v1.RestoreService': { '*': [OPERATORS] },
};
