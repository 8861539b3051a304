import type pg from 'pg';

/** Statements that a pipelined connection is given in one turn of the event loop leave in one write instead of one each. */
export function gatherWrites(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { stream } = (client as pg.Client).connection;
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    const gathered = (...args: unknown[]) => {
      stream.cork();
      process.nextTick(() => stream.uncork());
      return query(...args);
    };
    client.query = gathered as typeof client.query;
  });
}
