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
  /** Its data directory. */
  readonly directory: string;
  /** Of its services and of the servers that it started, by name. */
  readonly pids: Readonly<Record<string, number>>;
}

export interface BenchStackOptions {
  /** Data directory of a stack that runs already; absent: one is started and removed with its data. */
  readonly directory?: string | undefined;
  /** Whether a started one gets the sample data. */
  readonly sample: boolean;
  /** The server of a started one; absent: its own. */
  readonly server?: BenchServer | undefined;
  /** Settings of a started one, beside its databases. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** The stack a benchmark measures: one of its own, unless it is told to use another. */
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

/** The settings that name the databases of a server. */
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
