import type { RetrievalName } from '../model/result.ts';

export interface FrozenPlan {
  readonly planner: string;
  readonly retrieval: RetrievalName;
  /** ces.search.v1.Plan and SearchFilters as JSON. */
  readonly planJson: string;
  readonly filtersJson: string;
}
