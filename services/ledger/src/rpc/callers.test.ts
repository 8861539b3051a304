import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';

const CALLERS: readonly (Caller | 'anyone')[] = [
  'gateway',
  'operations',
  'admin',
  'search',
  'lookup',
  'acquisition',
  'anyone',
];

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  authenticate: ['gateway', 'operations'],
  listPrincipalChanges: ['gateway'],
  reserve: ['operations'],
  settle: ['operations'],
  release: ['operations'],
  reverse: ['operations'],
  getRetention: ['operations'],
  getSigningKeys: ['operations'],
  charge: ['operations'],
  post: ['operations'],
  getAllowance: ['gateway', 'operations', 'admin'],
  getUsageReport: ['gateway', 'admin'],
  getUsageStatement: ['operations'],
  listEntries: ['operations'],
  listHolds: ['operations', 'admin'],
};

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

type Methods = Readonly<Record<string, (request: object) => Promise<unknown> | AsyncIterable<unknown>>>;

async function whole(answers: Promise<unknown> | AsyncIterable<unknown> | undefined): Promise<void> {
  if (answers instanceof Promise) await answers;
  else if (answers) for await (const _ of answers);
}

async function callersLetIn(
  method: string,
  clientOf: (caller: Caller | 'anyone') => object,
): Promise<readonly string[]> {
  const answers = await Promise.all(
    CALLERS.map(async (caller) => {
      const call = (clientOf(caller) as Methods)[method];
      const code = await whole(call?.({})).then(
        () => undefined,
        (error) => failureOf(error)?.code,
      );
      return code === FailureCode.CALLER_NOT_ALLOWED ? [] : [caller];
    }),
  );
  return answers.flat();
}

test.each(LedgerService.methods.map(({ localName }) => localName))(
  'only those who need it may call %s',
  async (method) => {
    const letIn = await callersLetIn(method, served.service);
    expect(letIn).toEqual(ALLOWED[method]);
  },
);

test.each(LedgerAdminService.methods.map(({ localName }) => localName))(
  'only the command line may call %s, but for what operations compares with',
  async (method) => {
    const allowed = method === 'listMovements' ? ['operations', 'admin'] : ['admin'];
    expect(await callersLetIn(method, served.admin)).toEqual(allowed);
  },
);
