import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** Runs work after all earlier work. Throws SERVICE_UNAVAILABLE if too much waits. */
export type Serialized = <T>(work: () => Promise<T>) => Promise<T>;

const MAX_WAITING = 100;

/** Waits for the resolution lock without a database connection. */
export function createSerializedQueue(): Serialized {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= MAX_WAITING) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many writes wait; try again.');
    waiting += 1;
    const turn = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = turn.catch(() => undefined);
    return await turn;
  };
}
