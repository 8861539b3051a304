import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { listAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { afterRestore } from './after-restore.ts';
import { explainSearch } from './explain-search.ts';
import { getIndexStatus } from './get-index-status.ts';
import { plan } from './plan.ts';
import { planAndSearch } from './plan-and-search.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { search } from './search.ts';
import { searchObservations } from './search-observations.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(SearchService, {
    plan: (request, context) => plan(dependencies, request, context),
    planAndSearch: (request, context) => planAndSearch(dependencies, request, context),
    search: (request, context) => search(dependencies, request, context),
    searchObservations: (request, context) => searchObservations(dependencies, request, context),
  });
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.db, beforeId, limit));
  router.service(RestoreService, { afterRestore: (_, context) => afterRestore(dependencies, actorOf(context)) });
  router.service(SearchAdminService, {
    getIndexStatus: () => getIndexStatus(dependencies),
    rebuildIndex: (_, context) => rebuildIndex(dependencies, actorOf(context)),
    explainSearch: (request, context) => explainSearch(dependencies, request, context),
  });
}
