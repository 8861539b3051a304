import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack, type Stack } from '@ces/cli/stack';
import { type Stack as StartedStack, startStack } from '@ces/local/stack';
import { databaseSetting, ownerDatabaseSetting } from '@ces/topology/services';
import type { BenchServer } from './server.ts';

export interface BenchStack extends AsyncDisposable {
  readonly stack: Stack;
  readonly directory: string;
  readonly pids: Readonly<Record<string, number>>;
}

export interface BenchStackOptions {
  /** Data directory of a running stack. Undefined starts a temporary one. */
  readonly directory?: string | undefined;
  readonly sample: boolean;
  readonly server?: BenchServer | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Opens the stack to measure: a running one if `directory` names it, or a temporary one. */
export async function openBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { directory, sample, server, signal } = options;
  if (directory !== undefined)
    return {
      stack: stackIn(directory),
      directory,
      pids: programsOf(JSON.parse(await readFile(path.join(directory, 'ready.json'), 'utf8'))),
      async [Symbol.asyncDispose]() {},
    };
  const own = await mkdtemp(path.join(os.tmpdir(), 'ces-bench-'));
  await chmod(own, 0o711);
  const remove = () => rm(own, { recursive: true, force: true });
  try {
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const env = { ...options.env, ...(server && addressesOf(server)) };
    const running = await startStack({ dataDirectory: own, port: 0, sample, env, say, signal });
    return {
      stack: stackIn(own),
      directory: own,
      pids: programsOf(running.ready),
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

function programsOf({ pids }: Pick<StartedStack['ready'], 'pids'>): Record<string, number> {
  const { stack: _launcher, ...programs } = pids;
  return Object.fromEntries(Object.entries(programs).filter(([, pid]) => pid > 0));
}

export function addressesOf(server: BenchServer): Record<string, string> {
  return Object.fromEntries(
    [...server.databases].flatMap(([name, { url, ownerUrl }]) => [
      [databaseSetting(name), url],
      [ownerDatabaseSetting(name), ownerUrl],
    ]),
  );
}

function stackIn(directory: string): Stack {
  return findStack(readSettings(settings, { CES_DATA_DIR: directory }), 'a bench');
}
