import type { PlanRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { requireFilters, requireText } from './checks.ts';

const QUERY_CODE_POINTS = 4000;

/** Plans a query with the planner that is configured; the threshold in force is part of the plan and frozen with it. */
export async function plan(
  { planner, calibration, minimumRelevance }: Dependencies,
  request: PlanRequest,
  context: HandlerContext,
) {
  const query = requireText(request.query, QUERY_CODE_POINTS, 'A query');
  const bounds = { signal: context.signal, timeoutMs: context.timeoutMs() };
  const planned = await planner.plan(query, requireFilters(request.filters), bounds);
  return { plan: { ...planned, calibration: calibration.version, minimumRelevance } };
}
