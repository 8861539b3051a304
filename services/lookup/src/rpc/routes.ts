import { advanceSequences } from '@ces/chassis/postgres/advance-sequences';
import { registerAudit } from '@ces/chassis/rpc/audit';
import { actorOf } from '@ces/chassis/rpc/caller';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';
import { markForeignChangesPast } from '../changes/feed-epoch.ts';
import { insertAuditEntry, listAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { correctionMethods } from './corrections.ts';
import { evidenceMethods } from './evidence.ts';
import { lookupService } from './lookup-service.ts';
import { recordingMethods } from './recording.ts';

export function registerRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  router.service(LookupService, lookupService(dependencies));
  router.service(RecordService, {
    ...recordingMethods(dependencies),
    ...evidenceMethods(dependencies),
    ...correctionMethods(dependencies),
  });
  router.service(RestoreService, restoreService(dependencies));
  registerAudit(router, (beforeId, limit) => listAudit(dependencies.pool, beforeId, limit));
}

const CHANGES_A_PAGE = 20_000;

function restoreService({ pool }: Dependencies): ServiceImpl<typeof RestoreService> {
  return {
    /** Lost numbers are not assigned again, and readers start over (decision 0011). */
    async afterRestore({ page }, context) {
      const by = { actor: actorOf(context), action: 'after_restore', reason: undefined } as const;
      if (page === '') await insertAuditEntry(pool, by);
      const sequences =
        page === '' ? [{ what: 'sequences of the record moved on', count: BigInt(await advanceSequences(pool)) }] : [];
      const { settled, isDone } = await markForeignChangesPast(pool, CHANGES_A_PAGE);
      if (settled > 0n) await insertAuditEntry(pool, { ...by, detail: { changes: Number(settled) } });
      return {
        steps: [
          ...sequences,
          { what: 'changes numbered by another server', count: settled },
          { what: 'epochs of the change feed begun', count: isDone ? 1n : 0n },
        ],
        nextPage: isDone ? '' : 'changes',
      };
    },
  };
}
