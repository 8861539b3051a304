import type { MessageInitShape } from '@bufbuild/protobuf';
import { advanceSequences } from '@ces/chassis/postgres/advance-sequences';
import type { Actor } from '@ces/chassis/rpc/caller';
import type { AfterRestoreRequest, AfterRestoreResponseSchema } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { markForeignChangesPast } from '../changes/feed-epoch.ts';
import { insertAuditEntry } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';

const CHANGES_A_PAGE = 20_000;

/** Lost numbers are not assigned again, and readers start over (decision 0011). */
export async function afterRestore(
  { pool }: Dependencies,
  { page }: AfterRestoreRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof AfterRestoreResponseSchema>> {
  const by = { actor, action: 'after_restore', reason: undefined } as const;
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
}
