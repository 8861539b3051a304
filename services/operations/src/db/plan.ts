import type { RetrievalName } from '../operation/result.ts';

/** How a search was done: frozen with its result, for inspection. */
export interface FrozenPlan {
  readonly planner: string;
  readonly retrieval: RetrievalName;
  /** ces.search.v1.Plan and SearchFilters as JSON. */
  readonly planJson: string;
  readonly filtersJson: string;
}
