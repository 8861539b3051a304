import { Batcher } from '@ces/chassis/service/batcher';
import type { Reads } from '../replica/reads.ts';
import { type LookUp, lookUpByIds } from './look-up.ts';

export type LookUpIds = (ids: readonly bigint[]) => Promise<LookUp>;

/** Bounds the bytes, too: an id yields up to three observations. */
const MOST_IDS = 200;

/** Shares a statement in an event-loop turn. A failure affects only those that share it. */
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
