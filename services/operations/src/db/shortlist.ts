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

interface ShortlistRow {
  operation_id: bigint;
  account_id: bigint;
  page_fingerprint: Buffer;
  items: Reference[];
  coverage: FrozenCoverage;
  as_of: Date;
  expires_at: Date;
}

export async function findShortlist(db: Queryable, accountId: bigint, id: bigint): Promise<Shortlist | undefined> {
  const { rows } = await db.query<ShortlistRow>(
    `select operation_id, account_id, page_fingerprint, items, coverage, as_of, expires_at
     from shortlist where operation_id = $2 and account_id = $1`,
    [accountId, id],
  );
  const [row] = rows;
  return (
    row && {
      id: row.operation_id,
      accountId: row.account_id,
      pageFingerprint: row.page_fingerprint,
      items: row.items,
      coverage: row.coverage,
      asOf: row.as_of,
      expiresAt: row.expires_at,
    }
  );
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
