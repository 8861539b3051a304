import type { Client } from '@opensearch-project/opensearch';

export interface ShardRoutes {
  readonly routes: readonly string[];
  readonly isWhole: boolean;
}

/** The last of forty shards takes about two hundred tries. */
const AT_ONCE = 8;
const TRIED_PER_SHARD = 40;
const AWAY = -1;

/** Finds routes by trial. Omits a shard that none of many values leads to. */
export async function findShardRoutes(client: Client, index: string): Promise<ShardRoutes> {
  const all = await shardsOf(client, index, undefined);
  const there = all.filter((shard) => shard !== AWAY).length;
  const routes = new Map<number, string>();
  for (let next = 0; routes.size < there && next < all.length * TRIED_PER_SHARD; next += AT_ONCE) {
    const tried = Array.from({ length: AT_ONCE }, (_, at) => String(next + at));
    const shards = await Promise.all(tried.map((routing) => shardsOf(client, index, routing)));
    for (const [at, [shard]] of shards.entries())
      if (shard !== undefined && shard !== AWAY && !routes.has(shard)) routes.set(shard, tried[at] ?? '');
  }
  return { routes: [...routes.values()], isWhole: all.length > 0 && !all.includes(AWAY) };
}

async function shardsOf(client: Client, index: string, routing: string | undefined): Promise<number[]> {
  const { body } = await client.searchShards({
    index,
    ignore_unavailable: true,
    // Every node knows the routing, even without a cluster manager.
    local: true,
    ...(routing !== undefined && { routing }),
  });
  const { shards } = body as unknown as { readonly shards: readonly (readonly { readonly shard: number }[])[] };
  return shards.map(([copy]) => copy?.shard ?? AWAY);
}
