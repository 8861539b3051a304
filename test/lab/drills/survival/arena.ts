import { DATABASE_SERVICES } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { type Door, doorsOf } from '../../load/client.ts';
import { startClients } from '../../load/clients.ts';
import { type Evidence, populate } from '../../load/evidence.ts';
import { AMPLE, createAccount } from '../../load/subscribers.ts';

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
  const { evidence, ledger } = await populate(cluster);
  const [door] = doorsOf(cluster.gateways, [await createAccount(ledger, AMPLE, 1)]);
  if (!door) throw new Error('the account has no credential');
  cleanup.use(startClients(CLIENTS, [door], random.branch('load'), () => undefined));
  const kept = cleanup.move();
  return { cluster, evidence, door, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
