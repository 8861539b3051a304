import type { MessageInitShape } from '@bufbuild/protobuf';
import { skipNumbers } from '@ces/chassis/postgres/skip-numbers';
import type { AfterRestoreRequest, AfterRestoreResponseSchema } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { settleForeignChanges } from '../changes/feed-epoch.ts';
import type { Dependencies } from '../dependencies.ts';

/** Changes of another server that are settled in a statement: some seconds. */
const CHANGES_A_PAGE = 20_000;

/** A new history: numbers that were lost are not given again, and every reader of the change feed reads it anew (decision 0058). */
export async function afterRestore(
  { pool }: Dependencies,
  { page }: AfterRestoreRequest,
): Promise<MessageInitShape<typeof AfterRestoreResponseSchema>> {
  const sequences =
    page === '' ? [{ what: 'sequences of the record moved on', count: BigInt(await skipNumbers(pool)) }] : [];
  const { settled, isDone } = await settleForeignChanges(pool, CHANGES_A_PAGE);
  return {
    steps: [
      ...sequences,
      { what: 'changes numbered by another server', count: settled },
      { what: 'epochs of the change feed begun', count: isDone ? 1n : 0n },
    ],
    nextPage: isDone ? '' : 'changes',
  };
}
