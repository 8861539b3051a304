import type { Pool } from '@ces/chassis/postgres/pool';

/** Instants are microseconds since 1970. */
export interface Entry {
  readonly at: bigint;
  readonly requests: bigint;
  readonly delivered: bigint;
}

export interface Limit {
  readonly length: bigint;
  readonly requests: bigint;
  readonly delivered: bigint;
}

/**
 * Finds the first instant from `from` at which `asked` fits under every limit while no hold exists.
 * Undefined means never.
 */
export function reliefOf(
  entries: readonly Entry[],
  limits: readonly Limit[],
  asked: Omit<Entry, 'at'>,
  from: bigint,
): bigint | undefined {
  const fits = (at: bigint) =>
    limits.every(({ length, ...limit }) =>
      (['requests', 'delivered'] as const).every((unit) => {
        const counted = entries.filter((entry) => entry.at <= at && entry.at > at - length);
        const used = counted.reduce((sum, entry) => sum + entry[unit], 0n);
        return asked[unit] === 0n || used + asked[unit] <= limit[unit];
      }),
    );
  const leaving = entries.flatMap(({ at }) => limits.map(({ length }) => at + length));
  return [from, ...leaving.filter((at) => at > from)].toSorted((a, b) => (a < b ? -1 : 1)).find(fits);
}

export async function readEntries(owner: Pool, subscriptionId: bigint): Promise<readonly Entry[]> {
  const { rows } = await owner.query<Entry>(
    `select (extract(epoch from settled_at) * 1000000)::bigint as at, request_units as requests,
            delivered_units as delivered
     from entry
     where subscription_id = $1`,
    [subscriptionId],
  );
  return rows;
}

export async function readInstant(owner: Pool, operationId: bigint): Promise<bigint> {
  const { rows } = await owner.query<{ at: bigint }>(
    'select (extract(epoch from created_at) * 1000000)::bigint as at from hold where operation_id = $1',
    [operationId],
  );
  if (!rows[0]) throw new Error(`nothing was decided about operation ${operationId}`);
  return rows[0].at;
}

export async function readClock(owner: Pool): Promise<bigint> {
  const { rows } = await owner.query<{ at: bigint }>(
    'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as at',
  );
  return rows[0]?.at ?? 0n;
}
