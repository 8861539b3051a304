import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';

/** Measures a plain commit: one update of a random row of a small table in each transaction. */
type Commits = (rows: number, clients: number, seconds: number) => Promise<Rate>;

export async function prepareCommits({ superuserUrl }: BenchServer, rows: number): Promise<Commits> {
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
  return async (over, clients, seconds) => {
    const pool = connect(clients);
    try {
      return await rateOf(clients, seconds, async () => {
        const id = 1 + Math.floor(Math.random() * over);
        await pool.query({ name: 'count', text: 'update counter set n = n + 1 where id = $1', values: [id] });
      });
    } finally {
      await pool.end();
    }
  };
}
