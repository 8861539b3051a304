import { SESSIONS } from './bulk-sessions.ts';
import type { Share } from './bulk-thread.ts';
import { runThreads } from './threads.ts';

/**
 * Writes all documents of a record, with one session for each thread. Any failure, including one of
 * `onWritten`, aborts all.
 */
export async function writeRows(
  share: Omit<Share, 'thread' | 'threads'>,
  onWritten: (share: number) => void,
): Promise<void> {
  let written = 0;
  const shares = Array.from({ length: SESSIONS }, (_, thread): Share => ({ ...share, thread, threads: SESSIONS }));
  await runThreads(new URL('./bulk-thread.ts', import.meta.url), shares, (documents) => {
    written += documents;
    onWritten(written / share.observations);
  });
}
