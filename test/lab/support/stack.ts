import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack, type Stack } from '@ces/cli/stack';
import { startStack } from '@ces/local/stack';

export interface BenchStack extends AsyncDisposable {
  readonly stack: Stack;
  /** Its data directory. */
  readonly directory: string;
}

export interface BenchStackOptions {
  /** Data directory of a stack that runs already; absent: one is started and removed with its data. */
  readonly directory?: string | undefined;
  /** Whether a started one gets the sample data. */
  readonly sample: boolean;
  readonly signal: AbortSignal;
}

/** The stack a benchmark measures: one of its own, unless it is told to use another. */
export async function openBenchStack({ directory, sample, signal }: BenchStackOptions): Promise<BenchStack> {
  if (directory !== undefined) return { stack: stackIn(directory), directory, async [Symbol.asyncDispose]() {} };
  const own = await mkdtemp(path.join(os.tmpdir(), 'ces-bench-'));
  await chmod(own, 0o711);
  const remove = () => rm(own, { recursive: true, force: true });
  try {
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const running = await startStack({ dataDirectory: own, port: 0, sample, say, signal });
    return {
      stack: stackIn(own),
      directory: own,
      async [Symbol.asyncDispose]() {
        await running[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function stackIn(directory: string): Stack {
  return findStack(readSettings(settings, { CES_DATA_DIR: directory }), 'a bench');
}
