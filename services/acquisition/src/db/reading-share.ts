const WEEK_MS = 7 * 86_400_000;

/**
 * Returns the share (0 to 1) of the last seven days that readings can have seen. `freshAt` is the
 * start of the last complete reading; without one the share is 0.
 */
export function readingShare(freshAt: Date | undefined, now: Date): number {
  if (!freshAt) return 0;
  const unreadMs = Math.max(0, now.getTime() - freshAt.getTime());
  return Math.max(0, 1 - unreadMs / WEEK_MS);
}
