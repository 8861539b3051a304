import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@ces/topology/services';
import pg from 'pg';

export type Addresses = Record<Extract<ServiceName, 'lookup' | 'search' | 'acquisition'>, string>;

export interface Holdings {
  readonly shown: ReadonlyMap<bigint, string>;
  readonly indexed: ReadonlySet<bigint>;
  readonly epoch: string;
  readonly rawRecords: number;
}

const SHOWN = `
  select o.id, o.source from observation o
  where o.withdrawn_at is null and coalesce(o.expires_at, 'infinity') > clock_timestamp()
    and exists (select from evidence e where e.observation_id = o.id and e.withdrawn_at is null)`;
const INDEXED =
  'select observation_id as id from indexed where not tombstone and deliverable_until > clock_timestamp()';

export async function readHoldings(addresses: Addresses): Promise<Holdings> {
  const shown = await rowsOf<{ id: string; source: string }>(addresses.lookup, SHOWN);
  const indexed = await rowsOf<{ id: string }>(addresses.search, INDEXED);
  const [feed] = await rowsOf<{ epoch: string }>(addresses.lookup, 'select epoch::text as epoch from feed_epoch');
  const [raw] = await rowsOf<{ count: string }>(addresses.acquisition, 'select count(*) from raw_record');
  return {
    shown: new Map(shown.map(({ id, source }) => [BigInt(id), source])),
    indexed: new Set(indexed.map(({ id }) => BigInt(id))),
    epoch: feed?.epoch ?? '',
    rawRecords: Number(raw?.count),
  };
}

export function countDiffering({ shown, indexed }: Holdings): number {
  const missing = [...shown.keys()].filter((id) => !indexed.has(id)).length;
  return missing + [...indexed].filter((id) => !shown.has(id)).length;
}

export async function untilAgreed(addresses: Addresses, withinMs: number): Promise<Holdings> {
  for (const deadline = performance.now() + withinMs; ; await pause(500)) {
    const holdings = await readHoldings(addresses);
    if (countDiffering(holdings) === 0 || performance.now() > deadline) return holdings;
  }
}

async function rowsOf<R extends object>(connectionString: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
