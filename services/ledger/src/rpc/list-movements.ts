import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMovementsRequest,
  ListMovementsResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listPostings } from '../db/posting.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { entryMessage, holdMessage } from './messages.ts';

export async function listMovements(
  { pool }: Dependencies,
  { afterOperationId, limit }: ListMovementsRequest,
): Promise<MessageInitShape<typeof ListMovementsResponseSchema>> {
  const postings = await listPostings(pool, afterOperationId, requirePageSize(limit, 1_000, 5_000));
  return {
    movements: postings.map((posting) => {
      const entry = entryMessage(posting);
      return { hold: holdMessage(posting), ...(entry && { entry }) };
    }),
  };
}
