import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

const READERS = {
  lookUpCompanies: ['operations', 'admin'],
  lookUpObservations: ['operations', 'admin'],
  hydrate: ['operations', 'admin'],
  getObservation: ['gateway', 'operations', 'admin'],
  listChanges: ['search', 'admin'],
  getDocuments: ['search', 'admin'],
  resolveCompanies: ['operations', 'search', 'admin'],
  listSources: ['gateway', 'admin'],
} as const;
const WRITERS = ['acquisition', 'admin'];
const RECORD_METHODS = [
  'recordCompanies',
  'recordEvidence',
  'withdrawEvidence',
  'restoreEvidence',
  'getEvidence',
  'getRecordStatus',
  'recordClosings',
  'registerSource',
  'verifyRecord',
  'listEvidence',
  'recordVerification',
] as const;
const OPERATOR_METHODS = ['takeDown', 'liftTakeDown', 'listTakeDowns', 'mergeCompanies', 'splitCompanies'] as const;
const CALLERS = ['gateway', 'operations', 'search', 'acquisition', 'admin', 'ledger'] as const;

async function isAdmitted(call: () => Promise<unknown>): Promise<boolean> {
  const refusal = await call().then(() => undefined, failureOf);
  return refusal?.code !== FailureCode.CALLER_NOT_ALLOWED;
}

test.each(CALLERS)('%s may call what its part needs and nothing else', async (caller) => {
  const { lookup, record } = service.as(caller);
  for (const [method, allowed] of Object.entries(READERS)) {
    const call = lookup[method as keyof typeof READERS] as (request: object) => Promise<unknown>;
    expect([method, await isAdmitted(() => call({}))]).toEqual([
      method,
      (allowed as readonly string[]).includes(caller),
    ]);
  }
  for (const method of RECORD_METHODS) {
    const call = record[method] as (request: object) => Promise<unknown>;
    expect([method, await isAdmitted(() => call({}))]).toEqual([method, WRITERS.includes(caller)]);
  }
  for (const method of OPERATOR_METHODS) {
    const call = record[method] as (request: object) => Promise<unknown>;
    expect([method, await isAdmitted(() => call({}))]).toEqual([method, caller === 'admin']);
  }
});
