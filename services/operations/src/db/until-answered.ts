import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';

/** Some three seconds with the longest pauses: a call waits for it. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/**
 * Sends a statement again whose answer was lost: it may have been committed. For reads, and for writes that are guarded by the state
 * they change and so answer the same again, or that the operation has been taken further.
 */
export async function untilAnswered<T>(statement: () => Promise<T>): Promise<T> {
  return await retry(statement, { attempts: ATTEMPTS, firstPauseMs: FIRST_PAUSE_MS, retryIf: isTransient });
}
