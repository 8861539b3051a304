import { DATABASE_SERVICES } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import type { Door } from '../../load/client.ts';
import { runClients } from '../../load/clients.ts';
import { type Evidence, evidence, fillRecord } from '../../load/evidence.ts';
import { AMPLE, createAccount, ledgerAdmin } from '../../load/subscribers.ts';

export interface Arena extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly evidence: Evidence;
  readonly door: Door;
}

/** Keeps some connections in use at any moment. */
const CLIENTS = 6;
/**
 * Small enough that each pool has opened all its connections before they are lost. Otherwise new
 * connections would hide the loss.
 */
const POOL = '3';
const SETTINGS = {
  ...Object.fromEntries(DATABASE_SERVICES.map(({ name }) => [`CES_${name.toUpperCase()}_DATABASE_POOL`, POOL])),
  ...NO_FLOOD_LIMITS,
};

export async function startArena(random: Random): Promise<Arena> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random }));
  const admin = cluster.secrets.admin_token ?? '';
  const record = evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), admin);
  await fillRecord(record);
  const { accountId, tokens } = await createAccount(ledgerAdmin(cluster.urlOf('ledger'), admin), AMPLE, 1);
  const door = { baseUrl: cluster.gateways[0] ?? '', surface: 'rest' as const, token: tokens[0] ?? '', accountId };
  const stop = new AbortController();
  const load = runClients(CLIENTS, [door], random.branch('load'), stop.signal, () => undefined);
  cleanup.defer(async () => {
    stop.abort();
    await load;
  });
  const kept = cleanup.move();
  return { cluster, evidence: record, door, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
