import { Worker } from 'node:worker_threads';

/**
 * Runs a module in one thread for each item of `data`. Each thread posts the number of documents it
 * has written. Any failure, including one of `onWritten`, ends all. Resolves when all have ended.
 */
export async function runThreads<T>(
  module: URL,
  data: readonly T[],
  onWritten: (documents: number) => void,
): Promise<void> {
  const workers: Worker[] = [];
  const run = (workerData: T) =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(module, { workerData });
      workers.push(worker);
      worker.on('message', (documents: number) => {
        try {
          onWritten(documents);
        } catch (error) {
          reject(error);
        }
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`a thread that writes documents ended with code ${code}`));
      });
    });
  try {
    await Promise.all(data.map(run));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
