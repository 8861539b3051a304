import type { CallerPolicy } from '@ces/chassis/rpc/caller';

/**
 * Who may call what: the reads each part needs, the index's feed for search, writing for
 * acquisition and `ces`; what an operator decides for `ces` only.
 */
export const callers: CallerPolicy = {
  'ces.lookup.v1.LookupService': {
    LookUpCompanies: ['operations', 'admin'],
    LookUpObservations: ['operations', 'admin'],
    Hydrate: ['operations', 'admin'],
    GetObservation: ['gateway', 'operations', 'admin'],
    ListChanges: ['search', 'admin'],
    GetDocuments: ['search', 'admin'],
    ResolveCompanies: ['operations', 'search', 'admin'],
    ListSources: ['gateway', 'admin'],
  },
  'ces.lookup.v1.RecordService': {
    TakeDown: ['admin'],
    LiftTakeDown: ['admin'],
    ListTakeDowns: ['admin'],
    MergeCompanies: ['admin'],
    SplitCompanies: ['admin'],
    '*': ['acquisition', 'admin'],
  },
  'ces.restore.v1.RestoreService': { '*': ['admin'] },
};
