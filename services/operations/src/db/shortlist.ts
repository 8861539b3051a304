import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FrozenCoverage, Reference } from '../model/result.ts';

export interface Shortlist {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly pageFingerprint: Buffer;
  readonly items: readonly Reference[];
  readonly coverage: FrozenCoverage;
  readonly asOf: Date;
  readonly expiresAt: Date;
}

export async function findShortlist(db: Queryable, accountId: bigint, id: bigint): Promise<Shortlist | undefined> {
  const { rows } = await db.query<Shortlist>(
    `select operation_id as id, account_id as "accountId", page_fingerprint as "pageFingerprint", items, coverage,
       as_of as "asOf", expires_at as "expiresAt"
     from shortlist where operation_id = $2 and account_id = $1`,
    [accountId, id],
  );
  return rows[0];
}

/** Keeps its order; empty when the shortlist no longer exists. */
export async function findReferences(
  db: Queryable,
  accountId: bigint,
  id: bigint,
  positions: readonly number[],
): Promise<Reference[]> {
  const { rows } = await db.query<{ reference: Reference }>(
    `select item.value as reference
     from shortlist, jsonb_array_elements(items) with ordinality as item (value, position)
     where operation_id = $2 and account_id = $1 and position - 1 = any($3::bigint[]) order by position`,
    [accountId, id, positions],
  );
  return rows.map((row) => row.reference);
}
