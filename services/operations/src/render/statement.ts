import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetUsageStatementResponse, StatementLine } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type {
  GetUsageStatementResponseSchema,
  StatementEntrySchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { KeyOfOperation } from '../db/listed-operation.ts';
import { microsToTimestamp, toMicros } from '../time.ts';
import { ACTIONS } from './answer.ts';

type Keys = ReadonlyMap<bigint, KeyOfOperation>;

export function renderStatement(
  { subscription, since, until, totals, lines }: GetUsageStatementResponse,
  keys: Keys,
): MessageInitShape<typeof GetUsageStatementResponseSchema> {
  return {
    ...(subscription && { subscription }),
    ...(since && { since }),
    ...(until && { until }),
    ...(totals && { totals }),
    entries: lines.map((line) => entryOf(line, keys)),
  };
}

function entryOf(
  { operationId, settledAt, units, reason }: StatementLine,
  keys: Keys,
): MessageInitShape<typeof StatementEntrySchema> {
  const known = keys.get(operationId);
  return {
    operationId,
    ...(known && { requestKey: known.requestKey, action: ACTIONS[known.action] }),
    settledAt: microsToTimestamp(toMicros(settledAt)),
    ...(units && { units }),
    ...(reason !== undefined && { reason }),
  };
}
