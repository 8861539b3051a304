import { create } from '@bufbuild/protobuf';
import { failure } from '@ces/chassis/rpc/failure';
import {
  type OperationRecord,
  OperationRecordSchema,
  type Settlement,
  SettlementSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { type ActionName, actionOf } from '@ces/proto/operations';
import type { OperationRecordRow, SettlementRow } from '../db/operation-record.ts';
import { toUnits } from '../ledger/messages.ts';
import { OPERATION_STATES, type OperationState } from '../model/operation.ts';
import { failureCodeOf } from '../model/stored-failure.ts';
import { toTimestamp } from '../time.ts';
import { statusOf } from './answer.ts';

export function renderRecord(row: OperationRecordRow): OperationRecord {
  return create(OperationRecordSchema, {
    id: row.id,
    accountId: row.account_id,
    subscriptionId: row.subscription_id,
    action: actionOf(row.action as ActionName),
    requestKey: row.request_key,
    status: statusOf(row.state),
    point: row.state,
    units: unitsOfRow(row),
    attempts: row.attempts ?? 0,
    fence: row.fence ?? 0n,
    ...(row.lease_until && { leaseUntil: toTimestamp(row.lease_until) }),
    createdAt: toTimestamp(row.created_at),
    ...(row.finished_at && { finishedAt: toTimestamp(row.finished_at) }),
    ...(row.failure_code && { failure: failure(failureCodeOf(row.failure_code), row.failure_message ?? '') }),
  });
}

export function renderSettlement(row: SettlementRow): Settlement {
  return create(SettlementSchema, {
    operationId: row.id,
    operationIdentity: row.identity,
    subscriptionId: row.subscription_id,
    status: statusOf(row.state),
    units: unitsOfRow(row),
    storedCompanies: BigInt(row.stored_companies),
    metered: row.metered,
  });
}

export function statesOf(status: Status): OperationState[] | undefined {
  return status === Status.UNSPECIFIED ? undefined : OPERATION_STATES.filter((state) => statusOf(state) === status);
}

function unitsOfRow(row: Pick<OperationRecordRow, 'request_units' | 'delivered_units' | 'fresh_evidence_units'>) {
  return toUnits({ request: row.request_units, delivered: row.delivered_units, fresh: row.fresh_evidence_units });
}
