import type { Client } from '@opensearch-project/opensearch';

/** How the shards of an index are reached. */
export interface ShardRoutes {
  /** Values of `routing` that lead to every shard that is there, one to each. */
  readonly routes: readonly string[];
  /** There is an index and none of its shards is away. */
  readonly isWhole: boolean;
}

/** Values that are tried at once, and in all for each shard: the last of forty shards takes some two hundred. */
const AT_ONCE = 8;
const TRIED_PER_SHARD = 40;
/** Stands for the number of a shard that no node has. */
const AWAY = -1;

/** Finds them by asking where a value leads; a shard that none of many values leads to is left out. */
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

/** Numbers of the shards (AWAY: of one that no node has) that a value of `routing` leads to; of all without one. */
async function shardsOf(client: Client, index: string, routing: string | undefined): Promise<number[]> {
  const { body } = await client.searchShards({
    index,
    ignore_unavailable: true,
    // Which shard a value leads to every node knows, also while none leads.
    local: true,
    ...(routing !== undefined && { routing }),
  });
  const { shards } = body as unknown as { readonly shards: readonly (readonly { readonly shard: number }[])[] };
  return shards.map(([copy]) => copy?.shard ?? AWAY);
}
