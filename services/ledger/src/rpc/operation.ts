import type { NamedOperation } from '../allowance/mismatch.ts';
import { invalid, requireId } from './input.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface NamesOperation {
  readonly operationId: bigint;
  readonly operationIdentity: string;
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

export function toOperation(request: NamesOperation): NamedOperation {
  const { operationIdentity, accountId, subscriptionId } = request;
  if (!UUID.test(operationIdentity)) throw invalid('`operation_identity` must be a UUID in lower case.');
  return {
    operationId: requireId(request.operationId, 'operation_id'),
    identity: operationIdentity,
    accountId,
    subscriptionId,
  };
}
