import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf, type CallerPolicy } from '@ces/chassis/rpc/caller';
import { OPERATORS, VIEWERS } from '@ces/chassis/rpc/operator';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import { acquire } from './acquire.ts';
import { afterRestore } from './after-restore.ts';
import type { Dependencies } from './dependencies.ts';
import { ingestDocument } from './ingest-document.ts';
import { getRun, listRuns } from './run-message.ts';
import { runSource } from './run-source.ts';
import { setSource } from './set-source.ts';
import { listSources } from './source-status.ts';
import { trySource } from './try-source.ts';
import { verifyEvidence } from './verify-evidence.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(AcquisitionService, {
    acquire: (request, context) => acquire(dependencies, request, context),
  });
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.pool, beforeId, limit));
  router.service(RestoreService, {
    afterRestore: (request, context) => afterRestore(dependencies, request, actorOf(context), context.signal),
  });
  router.service(AcquisitionAdminService, {
    listSources: () => listSources(dependencies),
    setSource: (request, context) => setSource(dependencies, request, context),
    runSource: (request, context) => runSource(dependencies, request, context),
    trySource: (request, context) => trySource(dependencies, request, context),
    getRun: (request) => getRun(dependencies, request),
    listRuns: (request) => listRuns(dependencies, request),
    ingestDocument: (requests, context) => ingestDocument(dependencies, requests, context),
    verifyEvidence: (request) => verifyEvidence(dependencies, request),
  });
}

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
