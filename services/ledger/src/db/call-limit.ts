import type { Queryable } from '@ces/chassis/postgres/pool';

/** Calls that a process asks for: see CallShareWish of the contract. */
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
  /** Milliseconds until there is a call to take; 0 while there is one. */
  readonly waitMs: number;
}

/** Places that a process asks for: see PlaceShareWish of the contract. */
export interface PlaceWish {
  readonly owner: string;
  readonly occupied: number;
  readonly wanted: number;
  readonly most: number;
}

/** Takes calls out of the buckets of their owners; answers in the order of the wishes. */
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

/** Gives `holder` places for `keptMs`; answers in the order of the wishes. */
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

/** Deletes what nobody has used for `unusedMs`, at most `limit` of each kind: it says the same as its absence. Returns how many rows went. */
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
