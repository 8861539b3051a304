import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from './arena.ts';

/** A shard as `_cat/shards` has it. */
interface Shard {
  readonly index: string;
  readonly shard: string;
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string | null;
}

const DOWN_MS = 10_000;
const PROMOTED_WITHIN_MS = 10_000;
const LEADER = 0;
const OTHER = 1;

/** The second node has all primaries when it is killed; the copies on the first one take their place. */
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

/** The node that leads is killed: until it is back there is no other that may. */
export async function killLeader({ server }: Arena): Promise<string> {
  await server.killNode(LEADER);
  await pause(DOWN_MS);
  await server.startNode(LEADER);
  return 'no leader meanwhile';
}

/** Every shard of a node is gone until it is back. */
export async function killWithoutCopies(arena: Arena): Promise<string | undefined> {
  const primaries = await primariesOn(arena, OTHER);
  if (!primaries.some(({ index }) => index.includes('observation'))) return undefined;
  await arena.server.killNode(OTHER);
  await pause(DOWN_MS);
  await arena.server.startNode(OTHER);
  return `${primaries.length} shards away`;
}

/** Cancels primaries on a node, so that their copies elsewhere become primaries, and waits for new copies. */
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
