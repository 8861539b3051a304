import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchResponse, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { type Client, Code, ConnectError } from '@connectrpc/connect';
import type { Bounds } from '../action.ts';
import type { FilterValues } from '../effective-search.ts';

/** What is to be found. */
interface Asked {
  readonly query: string;
  readonly filters: FilterValues;
  readonly candidateLimit: number;
  readonly maxCompanies: number;
}

/** A plan, and what was found by it. */
export interface PlannedRanking {
  readonly plan?: Plan | undefined;
  /** Absent: the plan is empty. */
  readonly ranking?: SearchResponse | undefined;
}

/** Has a query planned and companies ranked by the plan in one call; in two, one after the other, by a search service of the release before. */
export async function planAndSearch(
  search: Client<typeof SearchService>,
  asked: Asked,
  bounds: Bounds,
): Promise<PlannedRanking> {
  try {
    return await search.planAndSearch(asked, bounds);
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.Unimplemented)) throw error;
  }
  const { query, filters, ...limits } = asked;
  const { plan } = await search.plan({ query, filters }, bounds);
  if (!plan || plan.empty) return { plan };
  return { plan, ranking: await search.search({ plan, filters, ...limits }, bounds) };
}
