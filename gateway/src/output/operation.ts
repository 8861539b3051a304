import type { Allowance as AllowanceMessage, Units } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer, Usage } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { statusName } from '@ces/proto/operations';
import type { Allowance, Operation } from '../schema/operation.ts';
import { requireValue } from './values.ts';

export interface OperationContext {
  readonly usage: Operation;
  readonly request_allowance: Allowance;
}

export function renderContext(answer: OperationAnswer): OperationContext {
  return {
    usage: renderUsage(requireValue(answer.usage, 'usage')),
    request_allowance: renderAllowance(requireValue(answer.allowance, 'allowance')),
  };
}

export function renderUsage(usage: Usage): Operation {
  return {
    id: Number(usage.id),
    status: requireValue(statusName(usage.status), 'status'),
    request_key: usage.requestKey,
    ...counts(usage.units),
  };
}

export function counts(units: Units | undefined) {
  return {
    request_units: Number(units?.requestUnits ?? 0n),
    delivered_units: Number(units?.deliveredUnits ?? 0n),
    fresh_evidence_units: Number(units?.freshEvidenceUnits ?? 0n),
  };
}

function renderAllowance(allowance: AllowanceMessage): Allowance {
  return {
    window_seconds: Number(allowance.windowSeconds),
    window_remaining: Number(allowance.windowRemaining),
    weekly_remaining: Number(allowance.weeklyRemaining),
  };
}
