import type { Pool } from '@ces/chassis/postgres/pool';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

const READ = 'select id, name from company where id = $1';

async function readCompany(pool: Pool, id: bigint | undefined) {
  const { rows } = await pool.query<{ id: bigint; name: string }>(READ, [id]);
  const [found] = rows;
  if (!found) throw new Error(`there is no company ${id}`);
  return found;
}

/** One read a call. */
export function routeLookup(pool: Pool): (router: ConnectRouter) => void {
  return (router) => {
    router.rpc(LookupService.method.lookUpCompanies, async ({ ids: [id] }) => ({
      companies: [await readCompany(pool, id)],
    }));
    router.rpc(LookupService.method.hydrate, async ({ companies: [asked] }) => {
      const company = await readCompany(pool, asked?.companyId);
      return { companies: [{ survivorId: company.id, company }] };
    });
  };
}

/** The same without ranking: a search finds what its query names. */
export function routeSearch(pool: Pool): (router: ConnectRouter) => void {
  return (router) => {
    router.rpc(SearchService.method.planAndSearch, async ({ query }) => {
      const { id } = await readCompany(pool, BigInt(query));
      return { plan: { query }, ranking: { companies: [{ companyId: id }] } };
    });
  };
}
