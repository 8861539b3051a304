import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { afterRestore } from './after-restore.ts';
import { explainSearch } from './explain-search.ts';
import { getIndexStatus } from './get-index-status.ts';
import { plan } from './plan.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { search } from './search.ts';
import { searchObservations } from './search-observations.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(SearchService, {
    plan: (request, context) => plan(dependencies, request, context),
    search: (request, context) => search(dependencies, request, context),
    searchObservations: (request, context) => searchObservations(dependencies, request, context),
  });
  router.service(RestoreService, { afterRestore: () => afterRestore(dependencies) });
  router.service(SearchAdminService, {
    getIndexStatus: () => getIndexStatus(dependencies),
    rebuildIndex: () => rebuildIndex(dependencies),
    explainSearch: (request, context) => explainSearch(dependencies, request, context),
  });
}
