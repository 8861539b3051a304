import { fork } from 'node:child_process';
import path from 'node:path';
import type { Answer, Batch } from './messages.ts';

export interface EncoderProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly hasEnded: boolean;
  /** Returns undefined if the process ended before it answered, by itself or by the timeout. */
  encode(batch: Batch, withinMs: number): Promise<Answer | undefined>;
}

export interface ProcessOptions {
  readonly niceness: number;
  readonly threads: number;
  readonly execArgv: readonly string[];
}

/** The heap holds the tokenizer and a batch. The model is outside V8's heap. */
const HEAP_MIB = 128;
const PROGRAM = path.join(import.meta.dirname, 'encode-main.ts');

export function startEncoderProcess({ niceness, threads, execArgv }: ProcessOptions): EncoderProcess {
  /* The environment contains secrets, and output might quote a text. */
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
    /* Without a pid the process never started. Otherwise a message or signal could not be sent. */
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
