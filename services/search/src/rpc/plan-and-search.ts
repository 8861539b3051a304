import type { PlanAndSearchRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { requireFilters, requireLimits } from './checks.ts';
import { makePlan } from './plan.ts';
import { rank } from './search.ts';

export async function planAndSearch(
  dependencies: Dependencies,
  request: PlanAndSearchRequest,
  context: HandlerContext,
) {
  const filters = requireFilters(request.filters);
  const limits = requireLimits(request);
  const plan = await makePlan(dependencies, request, context);
  if (plan.empty) return { plan };
  return { plan, ranking: await rank(dependencies, plan, filters, limits, context) };
}
