import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import type { RequestedAction } from '../actions/action.ts';
import { requestCompanyLookup } from '../actions/company-lookup.ts';
import { requestCompanySearch } from '../actions/company-search/company-search.ts';
import { requestDiagnostic } from '../actions/diagnostic.ts';
import { requestObservationLookup } from '../actions/observation-lookup.ts';
import { requestObservationSearch } from '../actions/observation-search.ts';
import { listAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActionName } from '../input/form.ts';
import { createCountGrpc } from '../telemetry/calls.ts';
import { administration } from './administration.ts';
import { afterRestore } from './after-restore.ts';
import { getOperation } from './get-operation.ts';
import { getUsageStatement } from './get-usage-statement.ts';
import { listUsages } from './list-usages.ts';
import { type SubmitRequest, submitAction } from './submit.ts';

export function registerRoutes(router: ConnectRouter, deps: Dependencies): void {
  const during = (context: HandlerContext): Dependencies => ({ ...deps, ledger: deps.ledger.within(context) });
  const { actions } = deps;
  const count = createCountGrpc();
  const submit =
    <R extends SubmitRequest>(name: ActionName, toAction: (request: R) => RequestedAction) =>
    (request: R, context: HandlerContext) =>
      count(name, request, () => submitAction(during(context), request, context, name, () => toAction(request)));
  router.service(OperationsService, {
    submitCompanySearch: submit('company_search', (asked) =>
      requestCompanySearch(actions, asked.input, asked.background),
    ),
    submitObservationSearch: submit('observation_search', (asked) =>
      requestObservationSearch(actions, asked.input, asked.background),
    ),
    submitCompanyLookup: submit('company_lookup', ({ input }) => requestCompanyLookup(actions, input)),
    submitObservationLookup: submit('observation_lookup', ({ input }) => requestObservationLookup(actions, input)),
    submitDiagnostic: submit('diagnostic', () => requestDiagnostic(actions)),
    getOperation: (request, context) => count('usage', request, () => getOperation(during(context), request, context)),
    listUsages: (request, context) => count('usages', request, () => listUsages(during(context), request, context)),
    getUsageStatement: (request, context) =>
      count('statement', request, () => getUsageStatement(during(context), request, context)),
  });
  registerAudit(router, (beforeId, limit) => listAudit(deps.pool, beforeId, limit));
  router.service(RestoreService, {
    afterRestore: (request, context) => afterRestore(during(context), request, actorOf(context)),
  });
  router.service(OperationsAdminService, administration(deps, during));
}
