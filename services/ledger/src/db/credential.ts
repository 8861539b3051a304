import type { Queryable } from '@ces/chassis/postgres/pool';

/** A bearer without its secret. */
export interface Credential {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly label: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

/** Which of these credentials belong to the subscription's account and are not revoked. */
export async function readActiveCredentials(
  db: Queryable,
  subscriptionId: bigint,
  ids: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: bigint }>({
    name: 'read-active-credentials',
    text: `
      select c.id
      from credential c
      join subscription s on s.account_id = c.account_id
      where c.id = any($1::bigint[]) and s.id = $2 and c.revoked_at is null`,
    values: [ids, subscriptionId],
  });
  return new Set(rows.map(({ id }) => id));
}

export interface NewCredential {
  readonly accountId: bigint;
  readonly testMode: boolean;
  readonly label: string;
  readonly prefix: string;
  readonly pepper: string;
  readonly digest: Buffer;
}

export async function insertCredential(db: Queryable, credential: NewCredential): Promise<Credential> {
  const { accountId, testMode, label, prefix, pepper, digest } = credential;
  const { rows } = await db.query<CredentialRow>(
    `insert into credential (account_id, test_mode, label, prefix, pepper, digest)
     values ($1, $2, $3, $4, $5, $6)
     returning id, account_id, label, prefix, created_at, revoked_at, last_used_at`,
    [accountId, testMode, label, prefix, pepper, digest],
  );
  return toCredential(rows[0] as CredentialRow);
}

export async function findCredential(db: Queryable, id: bigint): Promise<Credential | undefined> {
  const { rows } = await db.query<CredentialRow>(
    `select id, account_id, label, prefix, created_at, revoked_at, last_used_at
     from credential
     where id = $1`,
    [id],
  );
  return rows[0] && toCredential(rows[0]);
}

export async function listCredentials(db: Queryable, accountId: bigint): Promise<readonly Credential[]> {
  const { rows } = await db.query<CredentialRow>(
    `select id, account_id, label, prefix, created_at, revoked_at, last_used_at
     from credential
     where account_id = $1
     order by id
     limit 10000`,
    [accountId],
  );
  return rows.map(toCredential);
}

/** Revokes for good; undefined when there is nothing left to revoke. */
export async function revokeCredential(db: Queryable, id: bigint): Promise<Credential | undefined> {
  const { rows } = await db.query<CredentialRow>(
    `update credential
     set revoked_at = clock_timestamp()
     where id = $1 and revoked_at is null
     returning id, account_id, label, prefix, created_at, revoked_at, last_used_at`,
    [id],
  );
  return rows[0] && toCredential(rows[0]);
}

export async function recordUse(db: Queryable, uses: ReadonlyMap<bigint, Date>): Promise<void> {
  await db.query({
    name: 'record-use',
    text: `
      update credential
      set last_used_at = u.used_at
      from unnest($1::bigint[], $2::timestamptz[]) as u (id, used_at)
      where credential.id = u.id and (credential.last_used_at is null or credential.last_used_at < u.used_at)`,
    values: [[...uses.keys()], [...uses.values()]],
  });
}

interface CredentialRow {
  id: bigint;
  account_id: bigint;
  label: string;
  prefix: string;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    prefix: row.prefix,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
