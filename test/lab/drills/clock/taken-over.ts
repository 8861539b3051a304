import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@ces/topology/services';
import pg from 'pg';
import type { Cluster } from '../../cluster/cluster.ts';

const LED: readonly ServiceName[] = ['operations', 'ledger', 'search', 'lookup', 'acquisition'];
const ASK_EVERY_MS = 200;
/** No process writes a lease that ends later. */
const LONGEST_LEASE = `interval '20 seconds'`;

/**
 * Waits until the leads were renewed by the current clock. Open work must have ended, wait for a
 * worker, or have a new lease. Returns the duration in ms, at most `atMostMs`.
 */
export async function untilTakenOver(cluster: Cluster, atMostMs: number): Promise<number> {
  const begun = performance.now();
  await using cleanup = new AsyncDisposableStack();
  const clients = new Map<ServiceName, pg.Client>();
  for (const name of LED) {
    const client = new pg.Client({ connectionString: cluster.servers.databases.get(name)?.ownerUrl ?? '' });
    await client.connect();
    cleanup.defer(() => client.end());
    clients.set(name, client);
  }
  const operations = clients.get('operations') as pg.Client;
  const { rows: open } = await operations.query<{ operation_id: string; fence: string }>(
    'select operation_id, fence from job where not ready',
  );
  const values = [open.map((job) => job.operation_id), open.map((job) => job.fence)];
  const isOver = async () => {
    const leads = await Promise.all([...clients.values()].map(countUnled));
    const { rowCount } = await operations.query(
      `select from job join unnest($1::bigint[], $2::bigint[]) as before (operation_id, fence) using (operation_id, fence)
       where not ready`,
      values,
    );
    return leads.every((unled) => unled === 0) && rowCount === 0;
  };
  while (performance.now() - begun < atMostMs && !(await isOver())) await pause(ASK_EVERY_MS);
  return performance.now() - begun;
}

async function countUnled(client: pg.Client): Promise<number> {
  const sql = `select from lease where until not between clock_timestamp() and clock_timestamp() + ${LONGEST_LEASE}`;
  return (await client.query(sql)).rowCount ?? 0;
}
