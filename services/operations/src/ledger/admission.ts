import { type Failure, FailureCode } from '@ces/chassis/rpc/failure';
import { type Allowance, HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import {
  type ChargeResponse,
  MismatchFieldSchema,
  type Mismatch as MismatchMessage,
  type ReserveResponse,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { requireField } from './messages.ts';

/** Another operation under this number, or other units. The ledger wrote nothing (promise R31). */
export interface Mismatch {
  readonly kind: 'mismatch';
  /** The first field that differs: identity, account, subscription or units. */
  readonly field: string;
  /** Any number up to it may be in use. */
  readonly highestOperationId: bigint;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly allowance: Allowance; readonly isSettled: boolean }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly admissibleUnits: number }
  /** It was withdrawn before: nothing is held, now or later. */
  | { readonly kind: 'withdrawn' }
  | Mismatch;

export function toMismatch({ field, highestOperationId }: MismatchMessage): Mismatch {
  const name = MismatchFieldSchema.value[field]?.localName ?? String(field);
  return { kind: 'mismatch', field: name.toLowerCase(), highestOperationId };
}

export function toAdmission({ outcome }: ReserveResponse | ChargeResponse): Admission {
  switch (outcome.case) {
    case 'admitted':
      if (outcome.value.state === HoldState.VOID) return { kind: 'withdrawn' };
      return {
        kind: 'admitted',
        allowance: requireField(outcome.value.allowance),
        isSettled: outcome.value.state === HoldState.POSTED,
      };
    case 'refused': {
      const failure = requireField(outcome.value.failure);
      if (failure.code === FailureCode.USAGE_EXPIRED) return { kind: 'withdrawn' };
      return { kind: 'refused', failure, admissibleUnits: Number(outcome.value.admissibleDeliveredUnits) };
    }
    case 'mismatch':
      return toMismatch(outcome.value);
    case undefined:
      throw new Error('the ledger answered without an outcome');
  }
}
