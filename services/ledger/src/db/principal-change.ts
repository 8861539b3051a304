import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';

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
  const [changes] = await readRows<StoredChanges>(db, {
    name: 'read-principal-changes',
    text: `
      select principal_epoch() as epoch, version, everything_at as "everythingAt",
             array(select account_id from principal_change where version > $1 order by version limit $2) as "accountIds"
      from principal_version`,
    values: [since, limit],
  });
  if (!changes) throw new Error('principal_version has lost its row');
  return changes;
}

/** Earlier versions do not compare with later ones. */
export async function renewPrincipalEpoch(db: Queryable): Promise<void> {
  await db.query('update principal_version set epoch = gen_random_uuid()');
}
