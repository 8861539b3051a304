import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { isTransient } from '@ces/chassis/rpc/error';
import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';

const ASK_EVERY_MS = 100;
/** Time without progress after which the start fails. */
const STALLED_MS = 60_000;

export async function untilIndexed(searchUrl: string, callerToken: string, signal: AbortSignal): Promise<void> {
  const tls = readSettings(rpcTlsSettings, process.env);
  const search = createRpcClient(SearchAdminService, { url: searchUrl, callerToken, tls, timeoutMs: 10_000 });
  let least: bigint | undefined;
  let progressedAt = performance.now();
  for (;;) {
    const lag = await search.getIndexStatus({}, { signal }).then((status) => status.lag, ignoreTransient);
    if (lag === 0n) return;
    if (lag !== undefined && (least === undefined || lag < least)) {
      least = lag;
      progressedAt = performance.now();
    }
    if (performance.now() - progressedAt > STALLED_MS)
      throw new StartupError('the index made no progress for 60 s: see logs/search.log in the data directory.');
    await pause(ASK_EVERY_MS, undefined, { signal });
  }
}

function ignoreTransient(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}
