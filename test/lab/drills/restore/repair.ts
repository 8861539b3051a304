import { createRpcClient } from '@ces/chassis/rpc/client';
import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import { type AfterRestoreResponse, RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ServiceName } from '@ces/topology/services';
import type { Client } from '@connectrpc/connect';
import type { Cluster } from '../../cluster/cluster.ts';

const NO_REPAIRS = new Set(['operations compared with the ledger', 'older than the ledger keeps, left alone']);

/**
 * Retries as `ces` does, because a service whose database has just returned may not answer at once.
 */
const ATTEMPTS = { attempts: 6, firstPauseMs: 500 };

export interface Repair {
  readonly done: Readonly<Record<string, number>>;
  readonly repairs: number;
  readonly unrepaired: readonly string[];
}

export async function afterRestore(cluster: Cluster, services: readonly ServiceName[]): Promise<Repair> {
  const done: Record<string, number> = {};
  const unrepaired: string[] = [];
  for (const service of services) {
    const callerToken = cluster.secrets.admin_token ?? '';
    const client = createRpcClient(RestoreService, {
      url: cluster.urlOf(service),
      callerToken,
      reason: 'a drill',
      timeoutMs: 120_000,
    });
    for (let page = '', more = true; more; more = page !== '') {
      const answer: AfterRestoreResponse = await retry(askFor(client, page), { ...ATTEMPTS, retryIf: isTransient });
      for (const { what, count, unrepaired: left } of answer.steps) {
        if (count > 0n) done[what] = (done[what] ?? 0) + Number(count);
        unrepaired.push(...left.map((one) => `${one}: ${what}`));
      }
      page = answer.nextPage;
    }
  }
  const repairs = Object.entries(done).filter(([what]) => !NO_REPAIRS.has(what) && !what.startsWith('sequences'));
  return { done, repairs: repairs.reduce((sum, [, times]) => sum + times, 0), unrepaired };
}

function askFor(client: Client<typeof RestoreService>, page: string): () => Promise<AfterRestoreResponse> {
  return () => client.afterRestore({ page });
}
