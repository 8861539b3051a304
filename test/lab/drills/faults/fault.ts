import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Part } from '../../cluster/part.ts';
import type { ProxyFault } from '../../cluster/proxy.ts';

/** What can break. It resolves when it is healed. */
export interface Fault {
  readonly name: string;
  /** The promise that it tries, by its number in services/promises.md. */
  readonly promise: string;
  /** Says what was broken; undefined where nothing was, so that this was no trial of the promise. */
  readonly run: (cluster: Cluster, random: Random) => Promise<string | undefined>;
}

/** A duration in milliseconds, drawn anew each time. */
export type Duration = (random: Random) => number;

/** kill -9, a while without it, and back. False where it was down already. */
export async function killFor(part: Part, downMs: number): Promise<boolean> {
  const { kills } = part;
  const back = pause(downMs);
  await part.kill(back);
  await back;
  await part.untilUp();
  return part.kills > kills;
}

/** All connections of an edge, or those of one process, behave so for a while. */
export async function disturb(
  cluster: Cluster,
  edge: string,
  fault: ProxyFault,
  ms: number,
  caller?: string,
): Promise<string> {
  const proxies = cluster.proxiesOf(edge, caller);
  if (proxies.length === 0) throw new Error(`there is no edge ${edge}`);
  for (const proxy of proxies) proxy.fault = fault;
  await pause(ms);
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  return edge;
}

/** A process of a service, by chance, or the one of that name. */
export function processOf({ services }: Cluster, name: string, random: Random) {
  return random.pick(services.filter((part) => part.name === name || part.name.startsWith(`${name}-`)));
}
