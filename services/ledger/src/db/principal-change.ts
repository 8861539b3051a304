import type { Queryable } from '@ces/chassis/postgres/pool';

/** Up to where changes of what Authenticate answers are in a statement's snapshot; versions of one epoch compare. */
export interface StoredVersion {
  readonly epoch: string;
  readonly version: bigint;
}

/** What has changed since a version, as one snapshot has it. */
export interface StoredChanges extends StoredVersion {
  /** Of every account something may have changed at this version. */
  readonly everythingAt: bigint;
  /** In no order. */
  readonly accountIds: readonly bigint[];
}

/** Accounts that have changed since a version, at most `limit` of them. */
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

/** Begins a new epoch: what was answered before is compared with nothing that comes after. */
export async function renewPrincipalEpoch(db: Queryable): Promise<void> {
  await db.query('select renew_principal_epoch()');
}

interface ChangesRow {
  epoch: string;
  version: bigint;
  everything_at: bigint;
  account_ids: bigint[];
}
