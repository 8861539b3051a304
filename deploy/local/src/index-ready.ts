import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc-client';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';

const ASK_EVERY_MS = 100;

/** Resolves when the index has applied every change of the record. */
export async function untilIndexed(searchUrl: string, callerToken: string, signal: AbortSignal): Promise<void> {
  const search = createRpcClient(SearchAdminService, { url: searchUrl, callerToken, timeoutMs: 10_000 });
  while ((await search.getIndexStatus({})).lag > 0n) await pause(ASK_EVERY_MS, undefined, { signal });
}
