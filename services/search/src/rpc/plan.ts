import { inSpan } from '@ces/chassis/telemetry/span';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { PlanRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { requireFilters, requireText } from './checks.ts';

const QUERY_CODE_POINTS = 4000;

export async function plan(dependencies: Dependencies, request: PlanRequest, context: HandlerContext) {
  return { plan: await makePlan(dependencies, request, context) };
}

/** Stores the calibration and the threshold in force, for later searches by this plan. */
export async function makePlan(
  { planner, calibration, minimumRelevance }: Dependencies,
  request: Pick<PlanRequest, 'query' | 'filters'>,
  context: HandlerContext,
): Promise<Plan> {
  const query = requireText(request.query, QUERY_CODE_POINTS, 'A query');
  const bounds = { signal: context.signal, timeoutMs: context.timeoutMs() };
  const filters = requireFilters(request.filters);
  const planned = await inSpan('plan query', {}, () => planner.plan(query, filters, bounds));
  return { ...planned, calibration: calibration.version, minimumRelevance };
}
