import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '@ces/topology/services';
import type { Caller } from '../caller.ts';
import { COMPANIES, createSkeletonDatabase, SUBSCRIPTIONS } from './database.ts';
import type { Role } from './process.ts';

const ENTRY = fileURLToPath(new URL('process.ts', import.meta.url));

/**
 * The hops and commits of a call and nothing else: processes of the same names that call each other by the chassis and read
 * and write rows, without checks, rules, logs or telemetry. What it costs no service of this architecture can save.
 */
export interface Skeleton extends AsyncDisposable {
  readonly pids: Readonly<Record<Role, number>>;
  lookUp(caller: Caller, turn: number): Promise<void>;
  search(caller: Caller, turn: number): Promise<void>;
}

/** Starts it on a database of its own in the given server. */
export async function startSkeleton(superuserUrl: string): Promise<Skeleton> {
  const databaseUrl = await createSkeletonDatabase(superuserUrl);
  await using cleanup = new AsyncDisposableStack();
  const urls: Record<string, string> = {};
  const pids: Partial<Record<Role, number>> = {};
  for (const role of ['ledger', 'lookup', 'search', 'operations', 'gateway'] as const) {
    const child = spawn(process.execPath, [ENTRY, role, databaseUrl, JSON.stringify(urls)], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    cleanup.defer(() => end(child));
    urls[role] = await addressOf(child, role);
    pids[role] = child.pid ?? 0;
  }
  const kept = cleanup.move();
  const call = (path: string) => (caller: Caller, turn: number) =>
    caller.call(`${urls.gateway}/${path}/${randomUUID()}/${1 + (turn % COMPANIES)}/${turn % SUBSCRIPTIONS}`);
  return {
    pids: pids as Record<Role, number>,
    lookUp: call('look-up'),
    search: call('search'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function addressOf(child: ChildProcess, role: Role): Promise<string> {
  const started = once(child, 'message').then(([url]) => String(url));
  const ended = once(child, 'exit').then(() => undefined);
  const url = await Promise.race([started, ended]);
  if (url === undefined) throw new Error(`${role} of the skeleton ended before it was ready`);
  return url;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
