import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { submitDiagnostic } from '../actions/diagnostic.ts';
import type { Dependencies } from '../dependencies.ts';
import { getOperation } from './get-operation.ts';
import { getOperationRecord } from './get-operation-record.ts';
import { listOperations } from './list-operations.ts';
import { listSettlements } from './list-settlements.ts';
import { reconcileLedger } from './reconcile-ledger.ts';
import { requeueOperation } from './requeue-operation.ts';
import { submitCompanyLookup } from './submit-company-lookup.ts';
import { submitCompanySearch } from './submit-company-search.ts';
import { submitObservationLookup } from './submit-observation-lookup.ts';
import { submitObservationSearch } from './submit-observation-search.ts';

export function registerRoutes(router: ConnectRouter, deps: Dependencies): void {
  const during = (context: HandlerContext): Dependencies => ({ ...deps, ledger: deps.ledger.within(context) });
  router.service(OperationsService, {
    submitCompanySearch: (request, context) => submitCompanySearch(during(context), request, context),
    submitObservationSearch: (request, context) => submitObservationSearch(during(context), request, context),
    submitCompanyLookup: (request, context) => submitCompanyLookup(during(context), request, context),
    submitObservationLookup: (request, context) => submitObservationLookup(during(context), request, context),
    submitDiagnostic: (request, context) => submitDiagnostic(during(context), request, context),
    getOperation: (request, context) => getOperation(during(context), request, context),
  });
  router.service(OperationsAdminService, {
    listOperations: (request) => listOperations(deps, request),
    getOperationRecord: (request, context) => getOperationRecord(deps, request, context),
    requeueOperation: (request, context) => requeueOperation(deps, request, context),
    listSettlements: (request) => listSettlements(deps, request),
    reconcileLedger: (request, context) => reconcileLedger(during(context), request),
  });
}
