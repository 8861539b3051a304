import { type Attempt, isAnswered } from '../../load/attempt.ts';
import { type Door, lookUp, search } from '../../load/client.ts';
import type { Subscriber } from './load.ts';

export function refusedCalls(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ outcome }) => outcome.kind === 'answer' && outcome.status === 503 && outcome.retryAfter);
}

export async function repeatRefused({ baseUrl, account }: Subscriber, refused: readonly Attempt[]): Promise<Attempt[]> {
  const { accountId, tokens } = account;
  const again: Attempt[] = [];
  for (const { action, key, input, surface } of refused) {
    if (key === undefined || input === undefined) continue;
    const door: Door = { baseUrl, token: tokens[0] ?? '', accountId, surface };
    const call = action === 'company_lookup' ? lookUp : search;
    again.push(await call(door, JSON.parse(input), key));
  }
  return again;
}

/**
 * The outage of writes after an instant, in ms: until the first success, the longest gap between
 * two, and until the last refusal.
 */
export function absenceOf(attempts: readonly Attempt[], from: number) {
  const written = attempts.filter((attempt) => attempt.key !== undefined && isResult(attempt));
  const ends = written.map(({ receivedAt }) => receivedAt).sort((a, b) => a - b);
  const gaps = ends.map((at, index) => at - (ends[index - 1] ?? at)).filter((_, index) => (ends[index] ?? 0) >= from);
  const first = written.filter(({ sentAt }) => sentAt >= from).map(({ receivedAt }) => receivedAt - from);
  const refused = refusedCalls(attempts).map(({ receivedAt }) => receivedAt - from);
  return { firstMs: Math.min(...first), longestMs: Math.max(0, ...gaps), lastRefusalMs: Math.max(0, ...refused) };
}

function isResult(attempt: Attempt): boolean {
  return isAnswered(attempt) && (attempt.outcome.status === 200 || attempt.outcome.status === 202);
}
