import { Worker } from 'node:worker_threads';
import { SESSIONS } from './bulk-sessions.ts';
import type { Share } from './bulk-thread.ts';

/** Writes all documents of a record, a thread a session; what `onWritten` throws, and what fails, ends all. Resolves when all is written. */
export async function writeRows(
  share: Omit<Share, 'thread' | 'threads'>,
  onWritten: (share: number) => void,
): Promise<void> {
  let written = 0;
  const workers: Worker[] = [];
  const run = (thread: number) =>
    new Promise<void>((resolve, reject) => {
      const workerData: Share = { ...share, thread, threads: SESSIONS };
      const worker = new Worker(new URL('./bulk-thread.ts', import.meta.url), { workerData });
      workers.push(worker);
      worker.on('message', (observations: number) => {
        written += observations;
        try {
          onWritten(written / share.observations);
        } catch (error) {
          reject(error);
        }
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`a thread that writes rows ended with code ${code}`));
      });
    });
  try {
    await Promise.all(Array.from({ length: SESSIONS }, (_, thread) => run(thread)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
