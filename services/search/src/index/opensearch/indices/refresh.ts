import type { Client } from '@opensearch-project/opensearch';
import type { EngineMeter } from '../client/engine-meter.ts';
import { unavailable } from '../client/failures.ts';

const REFRESH_MS = 30_000;

export async function refreshIndices(
  { client, meter }: { readonly client: Client; readonly meter: EngineMeter },
  index: string[],
): Promise<void> {
  if (index.length === 0) return;
  await meter.time('refresh', async () => {
    const { body } = await client.indices.refresh({ index }, { requestTimeout: REFRESH_MS });
    const failed = body._shards?.failed ?? 0;
    if (failed > 0) throw unavailable(`${failed} shards of ${index.join(', ')} were not refreshed`);
  });
}
