import type { Queryable } from '@ces/chassis/postgres/pool';
import type { RetrievalName } from '../operation/result.ts';

/** How a search was done: frozen with its result, for inspection. */
export interface FrozenPlan {
  readonly planner: string;
  readonly retrieval: RetrievalName;
  /** ces.search.v1.Plan and SearchFilters as JSON. */
  readonly planJson: string;
  readonly filtersJson: string;
}

export async function insertPlan(db: Queryable, operationId: bigint, plan: FrozenPlan): Promise<void> {
  await db.query('insert into plan (operation_id, planner, retrieval, plan, filters) values ($1, $2, $3, $4, $5)', [
    operationId,
    plan.planner,
    plan.retrieval,
    plan.planJson,
    plan.filtersJson,
  ]);
}
