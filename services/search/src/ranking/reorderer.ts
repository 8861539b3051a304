import type { ModelBounds } from './model-bounds.ts';
import type { RankedCompany } from './rank-companies.ts';

export interface Reorderer {
  reorder(
    query: string,
    companies: readonly RankedCompany[],
    bounds: ModelBounds,
  ): Promise<readonly RankedCompany[] | undefined>;
}
