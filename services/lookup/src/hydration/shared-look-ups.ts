import type { Reads } from '../replica/reads.ts';
import { type LookUp, lookUpByIds } from './look-up.ts';

export interface SharedLookUps {
  byIds(ids: readonly bigint[]): Promise<LookUp>;
}

interface Waiter {
  readonly ids: readonly bigint[];
  readonly resolve: (found: LookUp) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Ids per statement. Each id yields up to three observations of bounded length, so this bounds the
 * bytes, too.
 */
const MOST_IDS = 200;

/**
 * Look-ups of the same event-loop turn share a statement. A failure affects only those that share
 * it.
 */
export function createSharedLookUps(reads: Reads): SharedLookUps {
  let waiting: Waiter[] = [];
  const readAll = () => {
    for (const together of inStatements(waiting)) void readTogether(together);
    waiting = [];
  };
  const readTogether = async (together: readonly Waiter[]) => {
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

function* inStatements(waiting: readonly Waiter[]): Generator<readonly Waiter[]> {
  let together: Waiter[] = [];
  let count = 0;
  for (const waiter of waiting) {
    if (together.length > 0 && count + waiter.ids.length > MOST_IDS) {
      yield together;
      together = [];
      count = 0;
    }
    together.push(waiter);
    count += waiter.ids.length;
  }
  if (together.length > 0) yield together;
}
