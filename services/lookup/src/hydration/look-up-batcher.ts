import type { Reads } from '../replica/reads.ts';
import { type LookUp, lookUpByIds } from './look-up.ts';

export interface LookUpBatcher {
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
export function createLookUpBatcher(reads: Reads): LookUpBatcher {
  let waiting: Waiter[] = [];
  const readAll = () => {
    for (const batch of inStatements(waiting)) void readBatch(batch);
    waiting = [];
  };
  const readBatch = async (batch: readonly Waiter[]) => {
    try {
      const { inputs, readAt } = await reads.read((db) =>
        lookUpByIds(
          db,
          batch.flatMap(({ ids }) => ids),
        ),
      );
      let from = 0;
      for (const { ids, resolve } of batch) {
        resolve({ inputs: inputs.slice(from, from + ids.length), readAt });
        from += ids.length;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
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
  let batch: Waiter[] = [];
  let count = 0;
  for (const waiter of waiting) {
    if (batch.length > 0 && count + waiter.ids.length > MOST_IDS) {
      yield batch;
      batch = [];
      count = 0;
    }
    batch.push(waiter);
    count += waiter.ids.length;
  }
  if (batch.length > 0) yield batch;
}
