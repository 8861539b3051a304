import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { versionOf } from '../../interop/tool-chains.ts';

/** The program of test/lab/peers/tantivy. Requests and responses are lines of JSON. */
export interface TantivyProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Sends messages without a response. Resolves when the pipe has room. */
  tell(messages: readonly object[]): Promise<void>;
  /** Sends a message and resolves with its response. Rejects when the program exits. */
  ask(message: unknown): Promise<unknown>;
}

export type TantivyProgram = { readonly program: string } | { readonly reason: string };

const CRATE = path.join(REPOSITORY, 'test/lab/peers/tantivy');
const BUILT = path.join(CRATE, 'target/release/tantivy-peer');
const OUTPUT_BYTES = 16 * 1_048_576;

export async function buildTantivy(): Promise<TantivyProgram> {
  if ((await versionOf('cargo', '--version')) === undefined)
    return { reason: 'it needs cargo, which is not installed' };
  const cargo = ['cargo', 'build', '--quiet', '--release', '--locked', '--target-dir', path.join(CRATE, 'target')];
  return await promisify(execFile)('nice', ['-n', '10', ...cargo], { cwd: CRATE, maxBuffer: OUTPUT_BYTES }).then(
    () => ({ program: BUILT }),
    (error: Error) => ({ reason: `cargo could not build it (${error.message.trim().split('\n').at(-1)})` }),
  );
}

export function startTantivy(program: string, folder: string): TantivyProcess {
  const child = spawn(program, [folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const asked: PromiseWithResolvers<unknown>[] = [];
  const ended = once(child, 'close').then(() => undefined);
  const fail = (error: Error) => {
    for (const { reject } of asked.splice(0)) reject(error);
  };
  child.once('error', fail);
  child.once('close', (code, signal) => fail(new Error(`tantivy ended with ${code ?? signal}`)));
  /* Ignores EPIPE, because the exit of the program explains more. */
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => asked.shift()?.resolve(JSON.parse(line)));
  return {
    pid: child.pid,
    async tell(messages) {
      const isRoomLeft = child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      if (!isRoomLeft) await Promise.race([once(child.stdin, 'drain'), ended]);
    },
    async ask(message) {
      const answer = Promise.withResolvers<unknown>();
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('tantivy has ended');
      asked.push(answer);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return await answer.promise;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
