import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AdmittedSchema,
  ChargeRequest,
  MismatchSchema,
  RefusedSchema,
  ReserveRequest,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Admission } from '../allowance/posting.ts';
import { requireId, requireUnits } from './input.ts';
import { failureMessage, HOLD_STATES } from './messages.ts';
import type { Answer } from './mismatch.ts';
import { toOperation } from './operation.ts';

export function toAdmission(kind: Admission['kind'], request: ReserveRequest | ChargeRequest): Admission {
  return {
    kind,
    ...toOperation(request),
    accountId: requireId(request.accountId, 'account_id'),
    credentialId: request.credentialId,
    units: requireUnits(request.units),
    ...('worstCaseDeliveredUnits' in request && { worstCaseDeliveredUnits: request.worstCaseDeliveredUnits }),
    ...('admittedBefore' in request && { admittedBefore: request.admittedBefore }),
  };
}

type Outcome =
  | { case: 'mismatch'; value: MessageInitShape<typeof MismatchSchema> }
  | { case: 'admitted'; value: MessageInitShape<typeof AdmittedSchema> }
  | { case: 'refused'; value: MessageInitShape<typeof RefusedSchema> };

export function outcomeOf(answer: Answer): Outcome {
  if ('mismatch' in answer) return { case: 'mismatch', value: answer.mismatch };
  const { hold, allowance } = answer;
  const { state, refusal } = hold;
  if (!refusal) return { case: 'admitted', value: { state: HOLD_STATES[state], ...(allowance && { allowance }) } };
  const limited = refusal.code === 'request_limit_reached';
  return {
    case: 'refused',
    value: {
      failure: failureMessage(refusal),
      admissibleDeliveredUnits: refusal.admissibleDeliveredUnits,
      ...(limited && allowance && { allowance }),
    },
  };
}
