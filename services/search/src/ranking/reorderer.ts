import type { ModelBounds } from './likenesses.ts';
import type { RankedCompany } from './rank-companies.ts';

/** Lets something else than words influence the order of companies. */
export interface Reorderer {
  /** The companies in their new order; undefined when it had no influence, for whatever reason. */
  reorder(
    query: string,
    companies: readonly RankedCompany[],
    bounds: ModelBounds,
  ): Promise<readonly RankedCompany[] | undefined>;
}
