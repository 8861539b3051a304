import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { HttpFault } from './http-proxy.ts';

const LASTS_MS = 15_000;
const NONE: HttpFault = { kind: 'none' };
/** The circuit breaker for bytes of in-flight requests. The limit admits only the smallest. */
const BREAKER = 'network.breaker.inflight_requests.limit';
const BREAKS_AT = '600b';

export function delayNode(arena: Arena, ms: number): Promise<string | undefined> {
  const proxies = arena.replicas.map((replica) => replica.proxies.at(-1)).filter((proxy) => proxy !== undefined);
  return disturb(proxies, { kind: 'delay', ms }, 'late');
}

export function rejectRequests(arena: Arena, probability: number): Promise<string | undefined> {
  const proxies = arena.replicas.flatMap((replica) => replica.proxies);
  return disturb(proxies, { kind: 'reject', probability }, 'rejected');
}

async function disturb(
  proxies: Arena['replicas'][number]['proxies'],
  fault: HttpFault,
  what: string,
): Promise<string | undefined> {
  for (const proxy of proxies) proxy.fault = fault;
  await pause(LASTS_MS);
  for (const proxy of proxies) proxy.fault = NONE;
  const met = proxies.reduce((sum, proxy) => sum + proxy.met(), 0);
  return met > 0 ? `${met} requests ${what}` : undefined;
}

export async function breakCircuit({ ask }: Arena): Promise<string | undefined> {
  const tripped = async () => {
    const stats = await ask<{ nodes: Record<string, { breakers: Record<string, { tripped: number }> }> }>(
      'GET',
      '/_nodes/stats/breaker',
    );
    return Object.values(stats.nodes).reduce(
      (sum, { breakers }) => sum + (breakers.in_flight_requests?.tripped ?? 0),
      0,
    );
  };
  const before = await tripped();
  await ask('PUT', '/_cluster/settings', { transient: { [BREAKER]: BREAKS_AT } });
  await pause(LASTS_MS);
  await ask('PUT', '/_cluster/settings', { transient: { [BREAKER]: null } });
  const times = (await tripped()) - before;
  return times > 0 ? `tripped ${times} times` : undefined;
}
