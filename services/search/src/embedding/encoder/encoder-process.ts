import { fork } from 'node:child_process';
import path from 'node:path';
import type { Answer, Batch } from './messages.ts';

/** A process with the model in it, which takes one batch at a time. */
export interface EncoderProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Whether it has ended, or never began. */
  readonly hasEnded: boolean;
  /** Its answer; undefined when the process ended first, by itself or because the time was up. */
  encode(batch: Batch, withinMs: number): Promise<Answer | undefined>;
}

export interface ProcessOptions {
  /** From 0 to 19, the lowest priority. */
  readonly niceness: number;
  readonly threads: number;
  /** Options of Node for it. */
  readonly execArgv: readonly string[];
}

/** For the tokenizer and the texts of a batch; the model is outside the heap of V8. */
const HEAP_MIB = 128;
const PROGRAM = path.join(import.meta.dirname, 'encode-main.ts');

export function startEncoderProcess({ niceness, threads, execArgv }: ProcessOptions): EncoderProcess {
  /* No environment, which has secrets, and no output: an error might quote a text. */
  const child = fork(PROGRAM, [String(niceness), String(threads)], {
    serialization: 'advanced',
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...execArgv],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let settle = (_answer?: Answer): void => undefined;
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      settle();
      resolve();
    };
    child.once('exit', end);
    /* Without a pid the process never started; otherwise a message or a signal could not be sent. */
    child.on('error', () => (child.pid === undefined ? end() : child.kill('SIGKILL')));
  });
  child.on('message', (answer: Answer) => settle(answer));
  return {
    pid: child.pid,
    get hasEnded() {
      return hasEnded;
    },
    async encode(batch, withinMs) {
      if (!child.connected) return undefined;
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      settle = resolve;
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      child.send(batch, (error) => error && child.kill('SIGKILL'));
      const answer = await promise;
      clearTimeout(timer);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
