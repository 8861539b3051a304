import type { Queryable } from '@ces/chassis/postgres/pool';

export interface TokenLeaseRequest {
  readonly owner: string;
  readonly needed: number;
  readonly prefetch: number;
  readonly unused: number;
  readonly perSecond: number;
  readonly burst: number;
  readonly perHour: number;
}

export interface TokenLease {
  readonly taken: number;
  readonly waitMs: number;
}

export interface SlotLeaseRequest {
  readonly owner: string;
  readonly occupied: number;
  readonly wanted: number;
  readonly most: number;
}

export async function takeCalls(db: Queryable, requests: readonly TokenLeaseRequest[]): Promise<TokenLease[]> {
  if (requests.length === 0) return [];
  const { rows } = await db.query<{ at: bigint; taken: number; left: number }>({
    name: 'take-calls',
    text: `
      select at, taken, calls_left as left
      from take_calls($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::double precision[], $6::integer[])
      order by at`,
    values: [
      requests.map(({ owner }) => owner),
      requests.map(({ needed }) => needed),
      requests.map(({ prefetch }) => prefetch),
      requests.map(({ unused }) => unused),
      requests.map(perSecondOf),
      requests.map(({ burst }) => burst),
    ],
  });
  return requests.map((request, at) => {
    const { taken, left } = present(rows[at]);
    return { taken, waitMs: left >= 1 ? 0 : Math.ceil(((1 - left) * 1_000) / perSecondOf(request)) };
  });
}

function perSecondOf({ perSecond, perHour }: TokenLeaseRequest): number {
  return perHour > 0 ? perHour / 3_600 : perSecond;
}

export async function takeSlots(
  db: Queryable,
  holder: string,
  keptMs: number,
  requests: readonly SlotLeaseRequest[],
): Promise<number[]> {
  if (requests.length === 0) return [];
  const { rows } = await db.query<{ at: bigint; slots: number }>({
    name: 'take-slots',
    text: `
      select at, slots
      from take_slots($1, $2 * interval '1 ms', $3::text[], $4::integer[], $5::integer[], $6::integer[])
      order by at`,
    values: [
      holder,
      keptMs,
      requests.map(({ owner }) => owner),
      requests.map(({ occupied }) => occupied),
      requests.map(({ wanted }) => wanted),
      requests.map(({ most }) => most),
    ],
  });
  return requests.map((_, at) => present(rows[at]).slots);
}

/** Unused for `unusedMs`: an absent row means the same. Returns the number of rows. */
export async function deleteUnusedCallLimits(db: Queryable, unusedMs: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ deleted: bigint }>(
    `with buckets as (
       delete from call_bucket where owner in (
         select owner from call_bucket
         where filled_at not between clock_timestamp() - $1 * interval '1 ms' and clock_timestamp() + $1 * interval '1 ms'
         limit $2 for update skip locked)
       returning 1
     ), slots as (
       delete from call_slot where (owner, holder) in (
         select owner, holder from call_slot
         where until not between clock_timestamp() - $1 * interval '1 ms' and clock_timestamp() + $1 * interval '1 ms'
         limit $2 for update skip locked)
       returning 1
     )
     select (select count(*) from buckets) + (select count(*) from slots) as deleted`,
    [unusedMs, limit],
  );
  return Number(present(rows[0]).deleted);
}

function present<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a call limit was not answered');
  return row;
}
