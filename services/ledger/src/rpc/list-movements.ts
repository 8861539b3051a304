import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMovementsRequest,
  ListMovementsResponseSchema,
  MovementSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listPostings, type PostingRow } from '../db/posting.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { entryMessage, holdMessage, reversalMessage } from './messages.ts';

export async function listMovements(
  { pool }: Dependencies,
  { afterOperationId, limit }: ListMovementsRequest,
): Promise<MessageInitShape<typeof ListMovementsResponseSchema>> {
  const postings = await listPostings(pool, afterOperationId, requirePageSize(limit, 1_000, 5_000));
  return {
    movements: postings.map(movementMessage),
  };
}

/** Includes the entry. A caller that ignores reversals sees a void hold. */
function movementMessage(posting: PostingRow): MessageInitShape<typeof MovementSchema> {
  const [hold, entry, reversal] = [holdMessage(posting), entryMessage(posting), reversalMessage(posting)];
  if (reversal) return { hold, reversal };
  return { hold, ...(entry && { entry }) };
}
