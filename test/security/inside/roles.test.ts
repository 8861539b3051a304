import { hash } from 'node:crypto';
import type { DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { type Answers, whole } from './doors.ts';

// An independent copy of the roles' permissions (decision 0032, deploy/docs/security.md).

const ROLES = ['viewer', 'support', 'operator'] as const;
type Role = (typeof ROLES)[number];
/** The lowest role that is admitted, by method; `undefined`: no operator is. */
type Needed = Readonly<Record<string, Role | undefined>>;

const SURFACES: readonly { service: DescService; at: readonly string[]; needed: Needed }[] = [
  {
    service: LedgerService,
    at: ['LEDGER'],
    needed: {
      ...{ Authenticate: undefined, Reserve: undefined, Settle: undefined, Release: undefined, Reverse: undefined },
      ...{
        GetRetention: undefined,
        GetSigningKeys: undefined,
        Charge: undefined,
        Post: undefined,
        GetUsageStatement: undefined,
      },
      ...{ ListEntries: undefined, ListPrincipalChanges: undefined },
      ...{ GetAllowance: 'viewer', GetUsageReport: 'viewer', ListHolds: 'viewer' },
    },
  },
  {
    service: LedgerAdminService,
    at: ['LEDGER'],
    needed: {
      ...{ ListAccounts: 'viewer', GetSubscription: 'viewer', ListPlans: 'viewer', ListCredentials: 'viewer' },
      ...{ VerifyLedger: 'viewer', ListMovements: 'viewer' },
      ...{ IssueCredential: 'support', RotateCredential: 'support', RevokeCredential: 'support' },
      ...{ CreateAccount: 'operator', CreateSubscription: 'operator', UpdateSubscription: 'operator' },
      ...{ UpdatePlan: 'operator' },
    },
  },
  {
    service: OperationsAdminService,
    at: ['OPERATIONS'],
    needed: {
      ...{ ListOperations: 'viewer', ListSettlements: 'viewer' },
      ...{ GetOperationRecord: 'support', RequeueOperation: 'support' },
      ReconcileLedger: 'operator',
    },
  },
  {
    service: LookupService,
    at: ['LOOKUP'],
    needed: {
      Read: 'viewer',
      ...{ LookUpCompanies: 'viewer', LookUpObservations: 'viewer', Hydrate: 'viewer', GetObservation: 'viewer' },
      ...{ ListChanges: 'viewer', GetDocuments: 'viewer', ResolveCompanies: 'viewer', ListSources: 'viewer' },
    },
  },
  {
    service: RecordService,
    at: ['LOOKUP'],
    needed: {
      ...{ GetEvidence: 'viewer', GetRecordStatus: 'viewer', ListEvidence: 'viewer', ListTakeDowns: 'viewer' },
      ...{ WithdrawEvidence: 'support', RestoreEvidence: 'support' },
      ...{ RecordCompanies: 'operator', RecordEvidence: 'operator', RecordClosings: 'operator' },
      ...{ RegisterSource: 'operator', TakeDown: 'operator', LiftTakeDown: 'operator' },
      ...{ MergeCompanies: 'operator', SplitCompanies: 'operator' },
      ...{ VerifyRecord: 'operator', RecordVerification: 'operator' },
    },
  },
  {
    service: SearchService,
    at: ['SEARCH'],
    needed: { Plan: 'viewer', PlanAndSearch: 'viewer', Search: 'viewer', SearchObservations: 'viewer' },
  },
  {
    service: SearchAdminService,
    at: ['SEARCH'],
    needed: { GetIndexStatus: 'viewer', ExplainSearch: 'viewer', RebuildIndex: 'operator' },
  },
  {
    service: AcquisitionAdminService,
    at: ['ACQUISITION'],
    needed: {
      ...{ ListSources: 'viewer', GetRun: 'viewer', ListRuns: 'viewer', VerifyEvidence: 'viewer' },
      ...{ SetSource: 'operator', RunSource: 'operator', TrySource: 'operator', IngestDocument: 'operator' },
    },
  },
  {
    service: AuditService,
    at: ['LEDGER', 'OPERATIONS', 'LOOKUP', 'SEARCH', 'ACQUISITION'],
    needed: { ListAudit: 'viewer' },
  },
  {
    service: RestoreService,
    at: ['LEDGER', 'OPERATIONS', 'LOOKUP', 'SEARCH', 'ACQUISITION'],
    needed: { AfterRestore: 'operator' },
  },
];

let stack: TestStack;

beforeAll(async () => {
  const operators = ROLES.map((role) => `${role}-1:${role}=${hash('sha256', tokenOf(role))}`).join(',');
  stack = await startTestStack({ acquisition: {}, env: { CES_RPC_OPERATORS: operators } });
});
afterAll(() => stack[Symbol.asyncDispose]());

function tokenOf(role: Role): string {
  return `token-of-the-${role}`;
}

test.each(SURFACES.map((surface) => [surface.service.typeName, surface] as const))(
  '%s: each role may call exactly what the table says',
  async (_name, { service, at, needed }) => {
    expect(service.methods.map(({ name }) => name).sort()).toEqual(Object.keys(needed).sort());
    for (const address of at)
      for (const { name, localName } of service.methods) {
        const letIn = await Promise.all(
          ROLES.map(async (role) => [role, (await refusalOf(service, localName, address, role, 'a test')) !== REFUSED]),
        );
        const lowest = needed[name];
        const from = lowest === undefined ? ROLES.length : ROLES.indexOf(lowest);
        expect([name, Object.fromEntries(letIn)]).toEqual([
          name,
          Object.fromEntries(ROLES.map((role, rank) => [role, rank >= from])),
        ]);
      }
  },
);

test('a call that may change something needs a reason, and a call that only reads does not', async () => {
  for (const { service, at, needed } of SURFACES)
    for (const { name, localName, idempotency } of service.methods) {
      if (needed[name] === undefined) continue;
      const code = await refusalOf(service, localName, at[0] ?? '', 'operator', undefined);
      if (idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) expect([name, code]).not.toContain(REASON);
      else expect([name, code]).toEqual([name, REASON]);
    }
});

const REFUSED = 'refused';
const REASON = 'needs a reason';

type Methods = Readonly<Record<string, (request: object) => Answers>>;

/** Why an empty request was not admitted; the result of an admitted one does not matter. */
async function refusalOf(
  service: DescService,
  method: string,
  address: string,
  role: Role,
  reason: string | undefined,
): Promise<string | undefined> {
  const url = stack.environmentOf('gateway')[`CES_${address}_URL`] ?? '';
  const client = createRpcClient(service, { url, callerToken: tokenOf(role), reason, timeoutMs: 20_000 });
  const isStream = service.methods.some((one) => one.localName === method && one.methodKind === 'client_streaming');
  const request = isStream ? (async function* () {})() : {};
  const call = (client as Methods)[method];
  if (!call) throw new Error(`${method} cannot be called`);
  const failure = await whole(call(request)).then(
    () => undefined,
    (error: unknown) => failureOf(error),
  );
  if (failure?.code === FailureCode.CALLER_NOT_ALLOWED) return REFUSED;
  return failure?.code === FailureCode.INVALID_REQUEST && failure.message.startsWith('Say why') ? REASON : undefined;
}
