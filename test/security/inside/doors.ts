import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { createRpcClient, type RpcClientOptions } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';

// An independent copy of the access rules: a service that admits more callers than this is faulty
// (promise S6).

export const CALLERS = ['gateway', 'operations', 'search', 'lookup', 'acquisition', 'admin', 'anyone'] as const;
export type Caller = (typeof CALLERS)[number];
type Callers = readonly Caller[];

export interface Door {
  readonly service: DescService;
  readonly address: string;
  /** Callers of the methods not listed in `but`. */
  readonly usually: Callers;
  readonly but?: Readonly<Record<string, Callers>>;
}

export const DOORS: readonly Door[] = [
  {
    service: LedgerService,
    address: 'CES_LEDGER_URL',
    usually: ['operations'],
    but: {
      Authenticate: ['gateway', 'operations'],
      ListPrincipalChanges: ['gateway'],
      GetAllowance: ['gateway', 'operations', 'admin'],
      GetUsageReport: ['gateway', 'admin'],
      ListHolds: ['operations', 'admin'],
    },
  },
  { service: CallLimitService, address: 'CES_LEDGER_URL', usually: ['gateway', 'operations'] },
  {
    service: LedgerAdminService,
    address: 'CES_LEDGER_URL',
    usually: ['admin'],
    but: { ListMovements: ['operations', 'admin'] },
  },
  {
    service: LookupService,
    address: 'CES_LOOKUP_URL',
    usually: ['operations', 'admin'],
    but: {
      GetObservation: ['gateway', 'operations', 'admin'],
      ListChanges: ['search', 'admin'],
      GetDocuments: ['search', 'admin'],
      ResolveCompanies: ['operations', 'search', 'admin'],
      ListSources: ['gateway', 'admin'],
    },
  },
  {
    service: RecordService,
    address: 'CES_LOOKUP_URL',
    usually: ['acquisition', 'admin'],
    but: {
      TakeDown: ['admin'],
      LiftTakeDown: ['admin'],
      ListTakeDowns: ['admin'],
      MergeCompanies: ['admin'],
      SplitCompanies: ['admin'],
    },
  },
  { service: SearchService, address: 'CES_SEARCH_URL', usually: ['operations', 'admin'] },
  { service: SearchAdminService, address: 'CES_SEARCH_URL', usually: ['admin'] },
  { service: OperationsService, address: 'CES_OPERATIONS_URL', usually: CALLERS },
  { service: OperationsAdminService, address: 'CES_OPERATIONS_URL', usually: ['admin'] },
  { service: AcquisitionService, address: 'CES_ACQUISITION_URL', usually: ['operations'] },
  { service: AcquisitionAdminService, address: 'CES_ACQUISITION_URL', usually: ['admin'] },
  ...['LEDGER', 'OPERATIONS', 'LOOKUP', 'SEARCH', 'ACQUISITION'].map(
    (name): Door => ({ service: AuditService, address: `CES_${name}_URL`, usually: ['admin'] }),
  ),
  ...['LEDGER', 'OPERATIONS', 'LOOKUP', 'SEARCH', 'ACQUISITION'].map(
    (name): Door => ({
      service: RestoreService,
      address: `CES_${name}_URL`,
      usually: ['admin'],
    }),
  ),
];

export const METHODS = DOORS.flatMap((door) =>
  door.service.methods.map((method) => [method.parent.typeName, method, door] as const),
);

export function serviceOf({ address }: Door): string {
  return address.replace(/^CES_(.*)_URL$/, '$1').toLowerCase();
}

/**
 * True when a token admits a call of the method at `url`. The result of the empty request does not
 * matter.
 */
export async function opens(
  url: string,
  callerToken: RpcClientOptions['callerToken'],
  method: DescMethod,
  { service }: Door,
): Promise<boolean> {
  const client = createRpcClient(service, { url, callerToken, reason: 'a test', timeoutMs: 20_000 });
  const call = (client as Readonly<Record<string, (request: object) => Answers>>)[method.localName];
  if (!call) throw new Error(`${method.name} cannot be called`);
  const code = await whole(call(method.methodKind === 'client_streaming' ? streamOf({}) : {})).then(
    () => undefined,
    (error: unknown) => failureOf(error)?.code,
  );
  return code !== FailureCode.CALLER_NOT_ALLOWED && code !== FailureCode.CALLER_UNAUTHENTICATED;
}

export type Answers = Promise<unknown> | AsyncIterable<unknown>;

export async function whole(answers: Answers): Promise<void> {
  if (answers instanceof Promise) await answers;
  else for await (const _ of answers);
}

async function* streamOf(message: object): AsyncGenerator<object> {
  yield message;
}
