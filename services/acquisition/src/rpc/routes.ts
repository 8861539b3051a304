import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import { acquire } from './acquire.ts';
import { afterRestore } from './after-restore.ts';
import type { Dependencies } from './dependencies.ts';
import { getRun } from './get-run.ts';
import { ingestDocument } from './ingest-document.ts';
import { listRuns } from './list-runs.ts';
import { listSources } from './list-sources.ts';
import { runSource } from './run-source.ts';
import { setSource } from './set-source.ts';
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
