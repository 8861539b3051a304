import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../../load/attempt.ts';
import type { Arena } from '../trial/arena.ts';

/** Without a result in this time, the next fault follows anyway. */
const GIVEN_UP_MS = 60_000;

/** Resolves with the ms until a new call gets a result, or infinity after one minute. */
export async function answeredAgain({ attempts }: Pick<Arena, 'attempts'>): Promise<number> {
  const from = Date.now();
  for (let seen = attempts.length; Date.now() - from < GIVEN_UP_MS; await pause(50)) {
    const answered = attempts.slice(seen).find((attempt) => attempt.sentAt >= from && hasResult(attempt));
    if (answered) return answered.receivedAt - from;
    seen = attempts.length;
  }
  return Number.POSITIVE_INFINITY;
}

function hasResult({ outcome, action }: Attempt): boolean {
  return outcome.kind === 'answer' && outcome.status === 200 && action !== 'report';
}
