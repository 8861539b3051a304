import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';

interface Shard {
  readonly index: string;
  readonly shard: string;
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string | null;
}

const DOWN_MS = 10_000;
const PROMOTED_WITHIN_MS = 10_000;
const APART_MS = 20_000;
const DROPPED_WITHIN_S = 90;
const LOOK_EVERY_MS = 200;
const ASKED_AT_MOST = 6;
const LEADER = 0;
const OTHER = 1;

/** Kills the second node when it has all primaries. Replicas on the first are promoted. */
export async function killWithItsPrimaries(arena: Arena): Promise<string | undefined> {
  const { server, ask } = arena;
  await movePrimariesAway(arena, LEADER);
  const primaries = (await primariesOn(arena, OTHER)).length;
  await server.killNode(OTHER);
  const killed = performance.now();
  let promoted = 0;
  while (promoted < primaries && performance.now() - killed < PROMOTED_WITHIN_MS) {
    await pause(100);
    promoted = (await primariesOn(arena, LEADER)).length;
  }
  const took = performance.now() - killed;
  await pause(DOWN_MS);
  await server.startNode(OTHER);
  await ask('GET', '/_cluster/health?wait_for_nodes=2&timeout=30s');
  return primaries > 0 && promoted >= primaries
    ? `${primaries} primaries lost, ${promoted} copies promoted after ${Math.round(took)} ms`
    : undefined;
}

export async function killLeader({ server }: Arena): Promise<string> {
  await server.killNode(LEADER);
  await pause(DOWN_MS);
  await server.startNode(LEADER);
  return 'no leader meanwhile';
}

/**
 * Separates the nodes from each other but not from the service. The cluster manager continues
 * without the other node, which keeps stale shards. Meanwhile a process starts that cannot choose
 * among nodes.
 */
export async function cutNodesApart(arena: Arena): Promise<string | undefined> {
  const { between, ask, server } = arena;
  const cut = performance.now();
  for (const proxy of between) proxy.fault = { kind: 'half open' };
  const dropped = await untilAlone(arena);
  await arena.join();
  await pause(APART_MS);
  for (const proxy of between) proxy.fault = { kind: 'none' };
  const seconds = (performance.now() - cut) / 1000;
  await ask('GET', `/_cluster/health?wait_for_nodes=${server.nodes.length}&timeout=90s`);
  const asked = await bringCopiesBack(arena);
  return dropped === undefined
    ? undefined
    : `apart for ${seconds.toFixed(0)} s, the other dropped after ${dropped.toFixed(0)} s, copies asked for ${asked} times`;
}

/**
 * Follows the operators' page. Searches can hold a shard of the returning node for up to five
 * minutes, and the cluster manager retries allocation only five times.
 */
async function bringCopiesBack({ ask, prefix }: Arena): Promise<number> {
  for (let asked = 0; ; asked += 1) {
    const { timed_out: isLate } = await ask<{ timed_out: boolean }>(
      'GET',
      `/_cluster/health/${prefix}*?wait_for_status=green&timeout=60s`,
    ).catch(() => ({ timed_out: true }));
    if (!isLate || asked === ASKED_AT_MOST) return asked;
    await ask('POST', '/_cluster/reroute?retry_failed=true');
  }
}

async function untilAlone({ ask }: Arena): Promise<number | undefined> {
  const begun = performance.now();
  for (;;) {
    const seconds = (performance.now() - begun) / 1000;
    const { number_of_nodes: nodes } = await ask<{ number_of_nodes: number }>('GET', '/_cluster/health?local=true');
    if (nodes === 1) return seconds;
    if (seconds > DROPPED_WITHIN_S) return undefined;
    await pause(LOOK_EVERY_MS);
  }
}

export async function killWithoutCopies(arena: Arena): Promise<string | undefined> {
  const primaries = await primariesOn(arena, OTHER);
  if (!primaries.some(({ index }) => index.includes('observation'))) return undefined;
  await arena.server.killNode(OTHER);
  await pause(DOWN_MS);
  await arena.server.startNode(OTHER);
  return `${primaries.length} shards away`;
}

/**
 * Cancels primaries on a node, so that replicas elsewhere are promoted, and waits for new replicas.
 */
async function movePrimariesAway(arena: Arena, node: number): Promise<void> {
  const name = arena.server.nodes[node]?.name;
  const commands = (await primariesOn(arena, node)).map(({ index, shard }) => ({
    cancel: { index, shard: Number(shard), node: name, allow_primary: true },
  }));
  if (commands.length === 0) return;
  await arena.ask('POST', '/_cluster/reroute', { commands });
  await arena.ask('GET', `/_cluster/health/${arena.prefix}*?wait_for_status=green&timeout=60s`);
}

async function primariesOn({ ask, prefix, server }: Arena, node: number): Promise<Shard[]> {
  const name = server.nodes[node]?.name;
  const shards = await ask<Shard[]>('GET', `/_cat/shards/${prefix}*?format=json&h=index,shard,prirep,state,node`);
  return shards.filter((shard) => shard.prirep === 'p' && shard.state === 'STARTED' && shard.node === name);
}
