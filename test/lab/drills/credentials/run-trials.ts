import { runTrial, type Trial, type TrialOptions } from './trial.ts';

export interface RunOptions extends Omit<TrialOptions, 'number'> {
  readonly times: number;
  /** Trials at the same time. */
  readonly concurrency: number;
  readonly say?: (done: number) => void;
}

/** So many trials, a few at a time, the kinds of change in turn. */
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
