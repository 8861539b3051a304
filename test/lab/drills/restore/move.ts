import type { PostgresServer } from '@ces/servers/postgres/server';
import type { ServiceName } from '@ces/topology/services';
import type { Cluster } from '../../cluster/cluster.ts';
import { ownerUrlOf } from './copies.ts';

/**
 * Kills the service and restarts it on the restored server, with `meanwhile` in between. Returns
 * the new database URL.
 */
export async function moveTo(
  cluster: Cluster,
  service: ServiceName,
  server: PostgresServer,
  meanwhile: (url: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const parts = cluster.services.filter(({ name }) => name.startsWith(`${service}-`));
  await Promise.all(parts.map((part) => part.kill(back)));
  const url = new URL(ownerUrlOf(cluster, service));
  url.port = String(server.port);
  await meanwhile(url.href);
  for (const proxy of cluster.proxiesOf(`${service}-postgres`)) proxy.retarget(server.port);
  resolve();
  await Promise.all(parts.map((part) => part.untilUp()));
  return url.href;
}
