import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Part } from '../../cluster/part.ts';
import type { ProxyFault } from '../../../support/faulty-proxy.ts';

export interface Fault {
  readonly name: string;
  readonly promise: string;
  /** Resolves with the effect. Undefined means no effect, so the trial does not count. */
  readonly run: (cluster: Cluster, random: Random) => Promise<string | undefined>;
}

export type Duration = (random: Random) => number;

/** Kills a part for `downMs`. Returns false if it was already down. */
export async function killFor(part: Part, downMs: number): Promise<boolean> {
  const { kills } = part;
  const back = pause(downMs);
  await part.kill(back);
  await back;
  await part.untilUp();
  return part.kills > kills;
}

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

export function processOf({ services }: Cluster, name: string, random: Random) {
  return random.pick(services.filter((part) => part.name === name || part.name.startsWith(`${name}-`)));
}
