import type { MessageInitShape } from '@bufbuild/protobuf';
import { failure } from '@ces/chassis/rpc/failure';
import type { ListedUsageSchema } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { ListedOperation } from '../db/listed-operation.ts';
import { toUnits } from '../ledger/messages.ts';
import { failureCodeOf } from '../operation/stored-failure.ts';
import { toTimestamp } from '../time.ts';
import { ACTIONS, statusOf } from './answer.ts';

export function renderListed(operation: ListedOperation): MessageInitShape<typeof ListedUsageSchema> {
  const { id, action, requestKey, state, units, query, createdAt, finishedAt, failure: stored } = operation;
  return {
    usage: { id, status: statusOf(state), requestKey, units: toUnits(units) },
    action: ACTIONS[action],
    ...(query !== undefined && { query }),
    createdAt: toTimestamp(createdAt),
    ...(finishedAt && { finishedAt: toTimestamp(finishedAt) }),
    ...(state === 'failed' && stored && { failure: failure(failureCodeOf(stored.code), stored.message) }),
  };
}
