import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@ces/topology/services';
import pg from 'pg';
import type { Cluster } from '../../cluster/cluster.ts';

const LED: readonly ServiceName[] = ['operations', 'ledger', 'search', 'lookup', 'acquisition'];
const ASK_EVERY_MS = 200;
/** No process writes the end of a lease further ahead. */
const LONGEST_LEASE = `interval '20 seconds'`;

/**
 * How long it takes, in milliseconds, until every lead is held by a process that renewed it by the clock as it is now, and every
 * operation has ended that was open; at most `atMostMs`.
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
  const { rows } = await operations.query<{ last: string }>('select coalesce(max(operation_id), 0) as last from job');
  const isOver = async () => {
    const leads = await Promise.all([...clients.values()].map(countUnled));
    const open = await operations.query('select from job where operation_id <= $1', [rows[0]?.last]);
    return leads.every((unled) => unled === 0) && open.rowCount === 0;
  };
  while (performance.now() - begun < atMostMs && !(await isOver())) await pause(ASK_EVERY_MS);
  return performance.now() - begun;
}

async function countUnled(client: pg.Client): Promise<number> {
  const sql = `select from lease where until not between clock_timestamp() and clock_timestamp() + ${LONGEST_LEASE}`;
  return (await client.query(sql)).rowCount ?? 0;
}
