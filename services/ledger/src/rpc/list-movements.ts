import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMovementsRequest,
  ListMovementsResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listMovements as selectMovements } from '../db/posting.ts';
import type { Deps } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { entryMessage, holdMessage } from './messages.ts';

export async function listMovements(
  { pool }: Deps,
  { afterOperationId, limit }: ListMovementsRequest,
): Promise<MessageInitShape<typeof ListMovementsResponseSchema>> {
  const movements = await selectMovements(pool, afterOperationId, requirePageSize(limit, 1_000, 5_000));
  return {
    movements: movements.map((movement) => {
      const entry = entryMessage(movement);
      return { hold: holdMessage(movement), ...(entry && { entry }) };
    }),
  };
}
