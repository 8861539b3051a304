import type { Client } from '@opensearch-project/opensearch';
import { unavailable } from '../client/failures.ts';

/** Longest refresh, in milliseconds: after a bulk it writes out what memory held. */
const REFRESH_MS = 30_000;

/** Makes all that was written visible to searches; `unavailable` where a shard has not done so. */
export async function refreshIndices(client: Client, index: string[]): Promise<void> {
  if (index.length === 0) return;
  const { body } = await client.indices.refresh({ index }, { requestTimeout: REFRESH_MS });
  if (body._shards && body._shards.failed > 0)
    throw unavailable(`${body._shards.failed} shards of ${index.join(', ')} were not refreshed`);
}
