import { type Attempt, isAnswered } from '../../load/attempt.ts';

export function refusedCalls(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ outcome }) => outcome.kind === 'answer' && outcome.status === 503 && outcome.retryAfter);
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
