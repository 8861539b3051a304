import type { Units } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Operation, OperationUnits } from '../model/operation.ts';

export type Payer = Pick<
  Operation,
  'id' | 'identity' | 'accountId' | 'subscriptionId' | 'credentialId' | 'worstCaseUnits'
>;

export function identityOf({
  id: operationId,
  identity: operationIdentity,
  accountId,
  subscriptionId,
}: Pick<Payer, 'id' | 'identity' | 'accountId' | 'subscriptionId'>) {
  return { operationId, operationIdentity, accountId, subscriptionId };
}

export function toUnits(units: OperationUnits) {
  return {
    requestUnits: BigInt(units.request),
    deliveredUnits: BigInt(units.delivered),
    freshEvidenceUnits: BigInt(units.fresh),
  };
}

export function fromUnits(units: Units): OperationUnits {
  return {
    request: Number(units.requestUnits),
    delivered: Number(units.deliveredUnits),
    fresh: Number(units.freshEvidenceUnits),
  };
}

export function requireField<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the ledger answered without a required field');
  return value;
}
