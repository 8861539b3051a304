import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';

/** About three seconds, because a call waits for it. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/**
 * Use it for reads, and for writes guarded by the state that they change: a repetition gives the
 * same answer or reports that the operation has moved on.
 */
export async function retryLostReply<T>(statement: () => Promise<T>): Promise<T> {
  return await retry(statement, { attempts: ATTEMPTS, firstPauseMs: FIRST_PAUSE_MS, retryIf: isTransient });
}
