import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';

const run = promisify(execFile);

/** Measures a plain commit: one update of a small table in each transaction. */
export interface Commits {
  /** Runs pgbench over rows 1 to `rows`. Undefined if pgbench is not installed. */
  pgbench(rows: number, clients: number, seconds: number): Promise<Rate | undefined>;
  driver(rows: number, clients: number, seconds: number): Promise<Rate>;
}

export async function prepareCommits({ directory, superuserUrl }: BenchServer, rows: number): Promise<Commits> {
  const connect = (max: number) =>
    createPool({
      connectionString: superuserUrl,
      max,
      applicationName: 'commits',
      logger: createLogger('bench', 'error'),
    });
  const owner = connect(1);
  await owner.query('create table counter (id integer primary key, n bigint not null) with (fillfactor = 50)');
  await owner.query('insert into counter select generate_series(1, $1::integer), 0', [rows]);
  await owner.end();
  return {
    pgbench: (over, clients, seconds) => withPgbench({ directory, superuserUrl, over, clients, seconds }),
    async driver(over, clients, seconds) {
      const pool = connect(clients);
      try {
        return await rateOf(clients, seconds, async () => {
          const id = 1 + Math.floor(Math.random() * over);
          await pool.query({ name: 'count', text: 'update counter set n = n + 1 where id = $1', values: [id] });
        });
      } finally {
        await pool.end();
      }
    },
  };
}

interface PgbenchRun {
  readonly directory: string;
  readonly superuserUrl: string;
  readonly over: number;
  readonly clients: number;
  readonly seconds: number;
}

async function withPgbench({ directory, superuserUrl, over, clients, seconds }: PgbenchRun): Promise<Rate | undefined> {
  const script = path.join(directory, `rows-${over}.sql`);
  await writeFile(script, `\\set id random(1, ${over})\nupdate counter set n = n + 1 where id = :id;\n`);
  const parameters = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-T', `${seconds}`, '-f', script];
  try {
    const { stdout } = await run('pgbench', [...parameters, superuserUrl]);
    const perSecond = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    const latency = /^latency average = ([\d.]+)/m.exec(stdout)?.[1];
    if (perSecond === undefined) throw new Error(`pgbench said: ${stdout}`);
    return { perSecond: Number(perSecond), p50: Number(latency) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
