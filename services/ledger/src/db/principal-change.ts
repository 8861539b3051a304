import type { Queryable } from '@ces/chassis/postgres/pool';

/** Comparable only within one epoch. */
export interface StoredVersion {
  readonly epoch: string;
  readonly version: bigint;
}

export interface StoredChanges extends StoredVersion {
  /** Here every account's answer may have changed. */
  readonly everythingAt: bigint;
  readonly accountIds: readonly bigint[];
}

export async function readPrincipalChanges(db: Queryable, since: bigint, limit: number): Promise<StoredChanges> {
  const { rows } = await db.query<ChangesRow>({
    name: 'read-principal-changes',
    text: `
      select principal_epoch() as epoch, version, everything_at,
             array(select account_id from principal_change where version > $1 order by version limit $2) as account_ids
      from principal_version`,
    values: [since, limit],
  });
  const [row] = rows;
  if (!row) throw new Error('principal_version has lost its row');
  return { epoch: row.epoch, version: row.version, everythingAt: row.everything_at, accountIds: row.account_ids };
}

/** Earlier versions do not compare with later ones. */
export async function renewPrincipalEpoch(db: Queryable): Promise<void> {
  await db.query('update principal_version set epoch = gen_random_uuid()');
}

interface ChangesRow {
  epoch: string;
  version: bigint;
  everything_at: bigint;
  account_ids: bigint[];
}
