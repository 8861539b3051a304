import type { Pool } from '@ces/chassis/postgres/pool';
import type { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Caller } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Client, ConnectRouter } from '@connectrpc/connect';

export interface Peers {
  readonly ledger: Client<typeof LedgerService>;
  readonly lookup: Client<typeof LookupService>;
  readonly search: Client<typeof SearchService>;
}

const INSERT = 'insert into operation (request_key, company_id, state) values ($1, $2, $3) returning id';
const ADVANCE = 'update operation set state = $2 where id = $1';

const UNITS = { requestUnits: 1n, deliveredUnits: 1n };

/**
 * A look-up: read, insert, charge. A search: insert, reserve, plan and search, hydrate, store, settle. That an
 * operation is delivered many mark together in the service, so nobody marks it here.
 */
export function routeOperations(pool: Pool, peers: Peers): (router: ConnectRouter) => void {
  const insert = async (requestKey: string, companyId: bigint, state: string) => {
    const { rows } = await pool.query<{ id: bigint }>(INSERT, [requestKey, companyId, state]);
    return rows[0]?.id ?? 0n;
  };
  const advance = (id: bigint, state: string) => pool.query(ADVANCE, [id, state]);
  const lookUp = async (caller: Caller | undefined, requestKey: string, ids: readonly bigint[]) => {
    const { companies } = await peers.lookup.lookUpCompanies({ ids: [...ids] });
    const operationId = await insert(requestKey, companies[0]?.id ?? 0n, 'stored');
    await peers.ledger.charge({ ...payerOf(caller), operationId, units: UNITS });
    return answer(operationId);
  };
  const search = async (caller: Caller | undefined, requestKey: string, query: string) => {
    const operationId = await insert(requestKey, 0n, 'created');
    const payer = payerOf(caller);
    await peers.ledger.reserve({ ...payer, operationId, units: UNITS });
    const { ranking } = await peers.search.planAndSearch({ query });
    await peers.lookup.hydrate({ companies: ranking?.companies.map(({ companyId }) => ({ companyId })) ?? [] });
    await advance(operationId, 'stored');
    await peers.ledger.settle({ ...payer, operationId, units: UNITS });
    return answer(operationId);
  };
  return (router) => {
    router.rpc(OperationsService.method.submitCompanyLookup, ({ caller, requestKey, input }) =>
      lookUp(caller, requestKey, input?.ids ?? []),
    );
    router.rpc(OperationsService.method.submitCompanySearch, ({ caller, requestKey, input }) =>
      search(caller, requestKey, input?.query ?? ''),
    );
  };
}

function payerOf(caller: Caller | undefined) {
  if (caller?.identity.case !== 'principal') throw new Error('a call of the skeleton names its principal');
  const { accountId, subscriptionId } = caller.identity.value;
  return { accountId, subscriptionId };
}

function answer(id: bigint) {
  return { answer: { usage: { id } } };
}
