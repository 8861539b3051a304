import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AdmittedSchema,
  ChargeRequest,
  RefusedSchema,
  ReserveRequest,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Admission } from '../allowance/posting.ts';
import type { PostingResult } from '../posting/result.ts';
import { requireId, requireUnits } from './input.ts';
import { failureMessage, HOLD_STATES } from './messages.ts';

/** The checked form of a request to hold or to charge units. */
export function toAdmission(kind: Admission['kind'], request: ReserveRequest | ChargeRequest): Admission {
  return {
    kind,
    operationId: requireId(request.operationId, 'operation_id'),
    accountId: requireId(request.accountId, 'account_id'),
    subscriptionId: request.subscriptionId,
    credentialId: request.credentialId,
    units: requireUnits(request.units),
  };
}

type Outcome =
  | { case: 'admitted'; value: MessageInitShape<typeof AdmittedSchema> }
  | { case: 'refused'; value: MessageInitShape<typeof RefusedSchema> };

/** The outcome that Reserve and Charge share. */
export function outcomeOf({ hold, allowance }: PostingResult): Outcome {
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
