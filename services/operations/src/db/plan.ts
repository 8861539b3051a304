import type { RetrievalName } from '../model/result.ts';

export interface FrozenPlan {
  readonly planner: string;
  readonly retrieval: RetrievalName;
  readonly planJson: string;
  readonly filtersJson: string;
}
