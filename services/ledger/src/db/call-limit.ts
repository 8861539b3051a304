import type { Queryable } from '@ces/chassis/postgres/pool';

/** CallShareWish of the contract describes the fields. */
export interface CallWish {
  readonly owner: string;
  readonly needed: number;
  readonly ahead: number;
  readonly unused: number;
  readonly perSecond: number;
  readonly burst: number;
  readonly perHour: number;
}

export interface CallShare {
  readonly taken: number;
  /** Milliseconds until a call is available; 0 if one is. */
  readonly waitMs: number;
}

/** PlaceShareWish of the contract describes the fields. */
export interface PlaceWish {
  readonly owner: string;
  readonly occupied: number;
  readonly wanted: number;
  readonly most: number;
}

export async function takeCalls(db: Queryable, wishes: readonly CallWish[]): Promise<CallShare[]> {
  if (wishes.length === 0) return [];
  const { rows } = await db.query<{ at: bigint; taken: number; left: number }>({
    name: 'take-calls',
    text: `
      select at, taken, calls_left as left
      from take_calls($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::double precision[], $6::integer[])
      order by at`,
    values: [
      wishes.map(({ owner }) => owner),
      wishes.map(({ needed }) => needed),
      wishes.map(({ ahead }) => ahead),
      wishes.map(({ unused }) => unused),
      wishes.map(perSecondOf),
      wishes.map(({ burst }) => burst),
    ],
  });
  return wishes.map((wish, at) => {
    const { taken, left } = present(rows[at]);
    return { taken, waitMs: left >= 1 ? 0 : Math.ceil(((1 - left) * 1_000) / perSecondOf(wish)) };
  });
}

function perSecondOf({ perSecond, perHour }: CallWish): number {
  return perHour > 0 ? perHour / 3_600 : perSecond;
}

export async function takePlaces(
  db: Queryable,
  holder: string,
  keptMs: number,
  wishes: readonly PlaceWish[],
): Promise<number[]> {
  if (wishes.length === 0) return [];
  const { rows } = await db.query<{ at: bigint; places: number }>({
    name: 'take-places',
    text: `
      select at, places
      from take_places($1, $2 * interval '1 ms', $3::text[], $4::integer[], $5::integer[], $6::integer[])
      order by at`,
    values: [
      holder,
      keptMs,
      wishes.map(({ owner }) => owner),
      wishes.map(({ occupied }) => occupied),
      wishes.map(({ wanted }) => wanted),
      wishes.map(({ most }) => most),
    ],
  });
  return wishes.map((_, at) => present(rows[at]).places);
}

/**
 * Deletes up to `limit` buckets and up to `limit` slots that were not used for `unusedMs`. An
 * absent row has the same meaning. Returns the number of deleted rows.
 */
export async function forgetCallLimits(db: Queryable, unusedMs: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ forgotten: bigint }>(
    "select forget_call_limits($1 * interval '1 ms', $2) as forgotten",
    [unusedMs, limit],
  );
  return Number(present(rows[0]).forgotten);
}

function present<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a call limit was not answered');
  return row;
}
