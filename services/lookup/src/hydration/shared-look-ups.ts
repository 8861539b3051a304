import type { Reads } from '../replica/reads.ts';
import { type LookUp, lookUpByIds } from './look-up.ts';

export interface SharedLookUps {
  /** Inputs in their order, at the moment of the read. */
  byIds(ids: readonly bigint[]): Promise<LookUp>;
}

interface Waiter {
  readonly ids: readonly bigint[];
  readonly resolve: (found: LookUp) => void;
  readonly reject: (error: unknown) => void;
}

/** Look-ups that come in the same turn of the event loop share a statement. */
export function createSharedLookUps(reads: Reads): SharedLookUps {
  let waiting: Waiter[] = [];
  const readAll = async () => {
    const together = waiting;
    waiting = [];
    try {
      const { inputs, readAt } = await reads.read((db) =>
        lookUpByIds(
          db,
          together.flatMap(({ ids }) => ids),
        ),
      );
      let from = 0;
      for (const { ids, resolve } of together) {
        resolve({ inputs: inputs.slice(from, from + ids.length), readAt });
        from += ids.length;
      }
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };
  return {
    byIds: (ids) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(readAll);
        waiting.push({ ids, resolve, reject });
      }),
  };
}
