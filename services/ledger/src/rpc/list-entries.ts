import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListEntriesRequest, ListEntriesResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { findEntries } from '../db/entry.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid } from './input.ts';

const MOST = 1_000;

export async function listEntries(
  { pool }: Dependencies,
  { operationIds }: ListEntriesRequest,
): Promise<MessageInitShape<typeof ListEntriesResponseSchema>> {
  if (operationIds.length > MOST) throw invalid(`\`operation_ids\` must be at most ${MOST}.`);
  const entries = await findEntries(pool, operationIds);
  return {
    entries: entries.map(({ identity, settledAt, ...entry }) => ({
      ...entry,
      operationIdentity: identity,
      settledAt: timestampFromDate(settledAt),
    })),
  };
}
