import { createRpcClient } from '@ces/chassis/rpc/client';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ServiceName } from '@ces/topology/services';
import type { Cluster } from '../../cluster/cluster.ts';

/** What is said or looked at, and repairs nothing. */
const NO_REPAIRS = new Set(['operations said to the ledger again', 'older than the ledger keeps, left alone']);

export interface Repair {
  /** By what was done, how often; what was not done is left out. */
  readonly done: Readonly<Record<string, number>>;
  readonly repairs: number;
  readonly unrepaired: readonly string[];
}

/** `ces after-restore` of these services, page by page. */
export async function afterRestore(cluster: Cluster, services: readonly ServiceName[]): Promise<Repair> {
  const done: Record<string, number> = {};
  const unrepaired: string[] = [];
  for (const service of services) {
    const callerToken = cluster.secrets.admin_token ?? '';
    const client = createRpcClient(RestoreService, { url: cluster.urlOf(service), callerToken, timeoutMs: 120_000 });
    for (let page: string | undefined = ''; page !== undefined; ) {
      const answer = await client.afterRestore({ page });
      for (const { what, count, unrepaired: left } of answer.steps) {
        if (count > 0n) done[what] = (done[what] ?? 0) + Number(count);
        unrepaired.push(...left.map((one) => `${one}: ${what}`));
      }
      page = answer.nextPage || undefined;
    }
  }
  const repairs = Object.entries(done).filter(([what]) => !NO_REPAIRS.has(what) && !what.startsWith('sequences'));
  return { done, repairs: repairs.reduce((sum, [, times]) => sum + times, 0), unrepaired };
}
