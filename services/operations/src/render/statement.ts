import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetUsageStatementResponse, StatementLine } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type {
  GetUsageStatementResponseSchema,
  StatementEntrySchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { actionOf } from '@ces/proto/operations';
import type { RequestKeyOfOperation } from '../db/listed-operation.ts';
import { microsToTimestamp, toMicros } from '../time.ts';

type RequestKeys = ReadonlyMap<bigint, RequestKeyOfOperation>;

export function renderStatement(
  { subscription, since, until, totals, lines }: GetUsageStatementResponse,
  requestKeys: RequestKeys,
): MessageInitShape<typeof GetUsageStatementResponseSchema> {
  return {
    ...(subscription && { subscription }),
    ...(since && { since }),
    ...(until && { until }),
    ...(totals && { totals }),
    entries: lines.map((line) => entryOf(line, requestKeys)),
  };
}

function entryOf(
  { operationId, settledAt, units, reason }: StatementLine,
  requestKeys: RequestKeys,
): MessageInitShape<typeof StatementEntrySchema> {
  const known = requestKeys.get(operationId);
  return {
    operationId,
    ...(known && { requestKey: known.requestKey, action: actionOf(known.action) }),
    settledAt: microsToTimestamp(toMicros(settledAt)),
    ...(units && { units }),
    ...(reason !== undefined && { reason }),
  };
}
