import { randomBytes, randomUUID } from 'node:crypto';
import type { NewOperation } from '../src/model/operation.ts';

export function newOperation(changes: Partial<NewOperation> = {}): NewOperation {
  return {
    accountId: 1n,
    subscriptionId: 2n,
    credentialId: 3n,
    testMode: false,
    requestKey: randomUUID(),
    fingerprint: randomBytes(32),
    input: { action: 'company_search', form: { query: 'a' } },
    payment: 'hold',
    worstCaseUnits: 10,
    background: false,
    ...changes,
  };
}
