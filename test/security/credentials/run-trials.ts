import { runTrial, type Trial, type TrialOptions } from './trial.ts';

export interface RunOptions extends Omit<TrialOptions, 'number'> {
  readonly times: number;
  readonly concurrency: number;
  readonly say?: (done: number) => void;
}

export async function runTrials({ times, concurrency, say, ...options }: RunOptions): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < times; number = next++) {
      trials.push(await runTrial({ ...options, number, random: options.random.branch(`trial ${number}`) }));
      say?.(trials.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return trials;
}
