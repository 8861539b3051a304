import { FailureCode, fail } from '@ces/chassis/rpc/failure';

/** Runs work after all that was given before it has ended; SERVICE_UNAVAILABLE when too much waits. */
export type Serialized = <T>(work: () => Promise<T>) => Promise<T>;

const MAX_WAITING = 100;

/** A queue for work that waits for the resolution lock anyway: while it waits here it holds no connection that a look-up could use. */
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
