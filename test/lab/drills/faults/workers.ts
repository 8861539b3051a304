import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../../cluster/cluster.ts';
import { disturb, type Fault, processOf } from './fault.ts';

const SLOW_MS = 2_500;
/** A resumed process notices within this time that it lost its leases. */
const NOTICED_WITHIN_MS = 4_000;

export function stoppedWorker(ms: number): Fault {
  return {
    name: 'stopped worker',
    promise: 'R9',
    run: async (cluster, random) => {
      const part = processOf(cluster, 'operations', random);
      return await losingLeases(cluster, part.name, async () => {
        part.signal('SIGSTOP');
        await pause(ms);
        part.signal('SIGCONT');
      });
    },
  };
}

export function partitionedWorker(ms: number): Fault {
  return {
    name: 'database half open',
    promise: 'R9',
    run: async (cluster, random) => {
      const part = processOf(cluster, 'operations', random);
      return await losingLeases(cluster, part.name, () =>
        disturb(cluster, 'operations-postgres', { kind: 'half open' }, ms, part.name),
      );
    },
  };
}

/** Counts the leases that the process reports as lost. Undefined if it had no run. */
async function losingLeases(cluster: Cluster, name: string, fault: () => Promise<unknown>) {
  const proxies = cluster.proxiesOf('operations-search', name);
  const before = await leasesLost(cluster, name);
  for (const proxy of proxies) proxy.fault = { kind: 'delay', ms: SLOW_MS };
  await pause(SLOW_MS + 100);
  await fault();
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  let lost = 0;
  for (const until = performance.now() + NOTICED_WITHIN_MS; lost === 0 && performance.now() < until; await pause(200))
    lost = (await leasesLost(cluster, name)) - before;
  return lost > 0 ? `${name}, ${lost} leases` : undefined;
}

async function leasesLost({ servers }: Cluster, name: string): Promise<number> {
  const log = await readFile(path.join(servers.directory, `${name}.log`), 'utf8');
  return log.split('"lease lost"').length - 1;
}
