const WEEK_MS = 7 * 86_400_000;

/** The share of the last seven days before the last complete reading began; else 0. */
export function readingShare(freshAt: Date | undefined, now: Date): number {
  if (!freshAt) return 0;
  const unreadMs = Math.max(0, now.getTime() - freshAt.getTime());
  return Math.max(0, 1 - unreadMs / WEEK_MS);
}
