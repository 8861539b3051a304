const WEEK_MS = 7 * 86_400_000;

/**
 * How much of what a source published in the last seven days its readings can have seen, 0 to 1: all of it that lay before the
 * last reading that found everything began. 0 where there was none.
 */
export function readingShare(freshAt: Date | undefined, now: Date): number {
  if (!freshAt) return 0;
  const unreadMs = Math.max(0, now.getTime() - freshAt.getTime());
  return Math.max(0, 1 - unreadMs / WEEK_MS);
}
