import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Hydrated } from '../operation/result.ts';

/**
 * The company to show for each reference of an ordered list: undefined where nothing can be shown, or where a reference before it
 * shows the same canonical company. New pages and replays both ask this. A reference that shows nothing hides nothing.
 */
export function showOnce(shownBefore: Iterable<bigint>): (reference: Hydrated) => Company | undefined {
  const shown = new Set(shownBefore);
  return ({ survivorId, company }) => {
    if (!company || shown.has(survivorId)) return undefined;
    shown.add(survivorId);
    return company;
  };
}
