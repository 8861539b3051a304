import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { requestCompanyLookup } from '../actions/company-lookup.ts';
import { requestCompanySearch } from '../actions/company-search/company-search.ts';
import { requestDiagnostic } from '../actions/diagnostic.ts';
import { requestObservationLookup } from '../actions/observation-lookup.ts';
import { requestObservationSearch } from '../actions/observation-search.ts';
import { listAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCountGrpc } from '../telemetry/calls.ts';
import { afterRestore } from './after-restore.ts';
import { getOperation } from './get-operation.ts';
import { getOperationRecord } from './get-operation-record.ts';
import { getUsageStatement } from './get-usage-statement.ts';
import { listOperations } from './list-operations.ts';
import { listSettlements } from './list-settlements.ts';
import { listUsages } from './list-usages.ts';
import { reconcileLedger } from './reconcile-ledger.ts';
import { requeueOperation } from './requeue-operation.ts';
import { submitAction } from './submit.ts';

export function registerRoutes(router: ConnectRouter, deps: Dependencies): void {
  const during = (context: HandlerContext): Dependencies => ({ ...deps, ledger: deps.ledger.within(context) });
  const { actions } = deps;
  const count = createCountGrpc();
  router.service(OperationsService, {
    submitCompanySearch: (request, context) =>
      count('company_search', request, () =>
        submitAction(during(context), request, context, 'company_search', () =>
          requestCompanySearch(actions, request.input, request.background),
        ),
      ),
    submitObservationSearch: (request, context) =>
      count('observation_search', request, () =>
        submitAction(during(context), request, context, 'observation_search', () =>
          requestObservationSearch(actions, request.input, request.background),
        ),
      ),
    submitCompanyLookup: (request, context) =>
      count('company_lookup', request, () =>
        submitAction(during(context), request, context, 'company_lookup', () =>
          requestCompanyLookup(actions, request.input),
        ),
      ),
    submitObservationLookup: (request, context) =>
      count('observation_lookup', request, () =>
        submitAction(during(context), request, context, 'observation_lookup', () =>
          requestObservationLookup(actions, request.input),
        ),
      ),
    submitDiagnostic: (request, context) =>
      count('diagnostic', request, () =>
        submitAction(during(context), request, context, 'diagnostic', () => requestDiagnostic(actions)),
      ),
    getOperation: (request, context) => count('usage', request, () => getOperation(during(context), request, context)),
    listUsages: (request, context) => count('usages', request, () => listUsages(during(context), request, context)),
    getUsageStatement: (request, context) =>
      count('statement', request, () => getUsageStatement(during(context), request, context)),
  });
  registerAudit(router, (beforeId, limit) => listAudit(deps.pool, beforeId, limit));
  router.service(RestoreService, {
    afterRestore: (request, context) => afterRestore(during(context), request, actorOf(context)),
  });
  router.service(OperationsAdminService, {
    listOperations: (request) => listOperations(deps, request),
    getOperationRecord: (request, context) => getOperationRecord(deps, request, context),
    requeueOperation: (request, context) => requeueOperation(deps, request, context),
    listSettlements: (request) => listSettlements(deps, request),
    reconcileLedger: (request, context) => reconcileLedger(during(context), request, actorOf(context)),
  });
}
