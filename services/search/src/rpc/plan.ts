import type { PlanRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { planQuery } from '../planning/plan-query.ts';
import { planMistakes } from '../planning/validate-plan.ts';
import { requireFilters, requireText } from './checks.ts';
import type { Dependencies } from './dependencies.ts';

const QUERY_CODE_POINTS = 4000;

/** Plans a query with the built-in planner. */
export async function plan({ vocabulary, clock }: Dependencies, request: PlanRequest) {
  const query = requireText(request.query, QUERY_CODE_POINTS, 'A query');
  const made = planQuery(query, requireFilters(request.filters), vocabulary, clock.now());
  const mistakes = planMistakes(made);
  if (mistakes.length > 0) throw new Error(`the planner made an invalid plan: ${mistakes.join('; ')}`);
  return { plan: made };
}
