import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import { adminService } from './admin-service.ts';
import { afterRestore } from './after-restore.ts';
import type { Dependencies } from './dependencies.ts';
import { ledgerService } from './ledger-service.ts';
import { take } from './take.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(LedgerService, ledgerService(dependencies));
  router.service(LedgerAdminService, adminService(dependencies));
  router.service(CallLimitService, { take: (request) => take(dependencies, request) });
  router.service(RestoreService, { afterRestore: (_, context) => afterRestore(dependencies, actorOf(context)) });
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.pool, beforeId, limit));
}
