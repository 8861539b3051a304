import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack, type Stack } from '@ces/cli/stack';
import { startStack } from '@ces/local/stack';
import type { ServiceName } from '@ces/topology/services';
import pg from 'pg';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import { type BenchServer, startBenchServer } from '../../support/server.ts';
import { addressesOf } from '../../support/stack.ts';

export interface Databases {
  connect(service: ServiceName): Promise<Session>;
}

export type Session = pg.Client & AsyncDisposable;

export interface System extends AsyncDisposable, Databases {
  readonly name: 'history' | 'empty';
  readonly server: BenchServer;
  start(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<RunningSystem>;
}

export interface RunningSystem extends AsyncDisposable {
  readonly name: System['name'];
  readonly stack: Stack;
  readonly baseUrl: string;
  readonly adminUrls: Readonly<Record<string, string>>;
  readonly logDirectory: string;
}

/** The ledger must keep the two years of postings. Operations keeps its default period. */
const SETTINGS = { ...NO_FLOOD_LIMITS, CES_LEDGER_KEPT_DAYS: '800' };

export async function startSystem(name: System['name']): Promise<System> {
  const server = await startBenchServer();
  const dataDirectory = path.join(server.directory, 'stack');
  return {
    name,
    server,
    connect: (service) => openSession(server.superuserUrl, server.databases.get(service)?.url ?? ''),
    async start(env, signal) {
      const running = await startStack({
        dataDirectory,
        port: 0,
        env: { CES_LOG_LEVEL: 'warn', ...addressesOf(server), ...SETTINGS, ...env },
        say: (line) => process.stderr.write(`${name}: ${line}\n`),
        signal,
      });
      return {
        name,
        stack: findStack(readSettings(settings, { CES_DATA_DIR: dataDirectory }), 'a bench'),
        baseUrl: running.ready.base_url,
        adminUrls: running.ready.admin,
        logDirectory: path.join(dataDirectory, 'logs'),
        [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function openSession(superuserUrl: string, url: string): Promise<Session> {
  const address = new URL(superuserUrl);
  address.pathname = new URL(url).pathname;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
