import { Batcher } from '@ces/chassis/service/batcher';
import type { Reads } from '../replica/reads.ts';
import { type LookUp, lookUpByIds } from './look-up.ts';

export type LookUpIds = (ids: readonly bigint[]) => Promise<LookUp>;

/**
 * Ids per statement. Each id yields up to three observations of bounded length, so this bounds the
 * bytes, too.
 */
const MOST_IDS = 200;

/** Look-ups of an event-loop turn share a statement. A failure affects only those that share it. */
export function shareLookUps(reads: Reads): LookUpIds {
  const lookUps = new Batcher<readonly bigint[], LookUp>({
    maxItems: MOST_IDS,
    maxSize: MOST_IDS,
    sizeOf: (ids) => ids.length,
    maxWaitMs: 0,
    run: async (entries) => {
      const ids = entries.flatMap(({ item }) => item);
      const { inputs, readAt } = await reads.read((db) => lookUpByIds(db, ids));
      let from = 0;
      for (const entry of entries) {
        const end = from + entry.item.length;
        entry.resolve({ inputs: inputs.slice(from, end), readAt });
        from = end;
      }
    },
  });
  return (ids) => lookUps.add(ids);
}
