import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Refusal } from '@ces/cli/refusal';
import { REPOSITORY } from '@ces/topology/services';
import pg from 'pg';

const SCRIPT = path.resolve(REPOSITORY, '../shared/bench/bare-handler.mjs');
const DATABASE = 'bare_handler';

/**
 * A process that reads one row and commits two others for each request. This is the cost of a
 * metered look-up without services.
 */
export interface BareHandler extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

export async function startBareHandler(superuserUrl: string): Promise<BareHandler> {
  await access(SCRIPT).catch(() => {
    throw new Refusal(`There is no ${SCRIPT}, which this measurement compares with.`);
  });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create database ${DATABASE}`).finally(() => client.end());
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  const child = spawn(process.execPath, [SCRIPT], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url.href, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await readPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function readPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the bare handler has no output');
  for await (const line of createInterface({ input: child.stdout })) return (JSON.parse(line) as { port: number }).port;
  throw new Error('the bare handler ended before it was ready');
}
