import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { afterRestore } from './after-restore.ts';
import { getDocuments } from './get-documents.ts';
import { getEvidence } from './get-evidence.ts';
import { getObservation } from './get-observation.ts';
import { getRecordStatus } from './get-record-status.ts';
import { hydrate } from './hydrate.ts';
import { liftTakeDown } from './lift-take-down.ts';
import { listChanges } from './list-changes.ts';
import { listEvidence } from './list-evidence.ts';
import { listSources } from './list-sources.ts';
import { listTakeDowns } from './list-take-downs.ts';
import { lookUpCompanies } from './look-up-companies.ts';
import { lookUpObservations } from './look-up-observations.ts';
import { mergeCompanies } from './merge-companies.ts';
import { read } from './read.ts';
import { recordClosings } from './record-closings.ts';
import { recordCompanies } from './record-companies.ts';
import { recordEvidence } from './record-evidence.ts';
import { recordVerification } from './record-verification.ts';
import { registerSource } from './register-source.ts';
import { resolveCompanies } from './resolve-companies.ts';
import { restoreEvidence } from './restore-evidence.ts';
import { splitCompanies } from './split-companies.ts';
import { takeDown } from './take-down.ts';
import { verifyRecord } from './verify-record.ts';
import { withdrawEvidence } from './withdraw-evidence.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(LookupService, {
    lookUpCompanies: (request) => lookUpCompanies(dependencies, request),
    lookUpObservations: (request) => lookUpObservations(dependencies, request),
    hydrate: (request) => hydrate(dependencies, request),
    read: (request, context) => read(dependencies, request, context),
    getObservation: (request) => getObservation(dependencies, request),
    listChanges: (request) => listChanges(dependencies, request),
    getDocuments: (request) => getDocuments(dependencies, request),
    resolveCompanies: (request) => resolveCompanies(dependencies, request),
    listSources: () => listSources(dependencies),
  });
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.pool, beforeId, limit));
  router.service(RestoreService, {
    afterRestore: (request, context) => afterRestore(dependencies, request, actorOf(context)),
  });
  router.service(RecordService, {
    recordCompanies: (request, context) => recordCompanies(dependencies, request, actorOf(context)),
    recordEvidence: (request, context) => recordEvidence(dependencies, request, actorOf(context)),
    withdrawEvidence: (request, context) => withdrawEvidence(dependencies, request, context),
    restoreEvidence: (request, context) => restoreEvidence(dependencies, request, context),
    getEvidence: (request) => getEvidence(dependencies, request),
    recordClosings: (request, context) => recordClosings(dependencies, request, actorOf(context)),
    getRecordStatus: () => getRecordStatus(dependencies),
    registerSource: (request, context) => registerSource(dependencies, request, context),
    takeDown: (request, context) => takeDown(dependencies, request, context),
    liftTakeDown: (request, context) => liftTakeDown(dependencies, request, context),
    listTakeDowns: (request) => listTakeDowns(dependencies, request),
    mergeCompanies: (request, context) => mergeCompanies(dependencies, request, context),
    splitCompanies: (request, context) => splitCompanies(dependencies, request, context),
    verifyRecord: (request, context) => verifyRecord(dependencies, request, context),
    listEvidence: (request) => listEvidence(dependencies, request),
    recordVerification: (request, context) => recordVerification(dependencies, request, context),
  });
}
