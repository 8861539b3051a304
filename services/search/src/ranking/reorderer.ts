import type { ModelBounds } from './model-bounds.ts';
import type { RankedCompany } from './rank-companies.ts';

export interface Reorderer {
  /** Returns the companies in their new order, or undefined if the order stays. */
  reorder(
    query: string,
    companies: readonly RankedCompany[],
    bounds: ModelBounds,
  ): Promise<readonly RankedCompany[] | undefined>;
}
