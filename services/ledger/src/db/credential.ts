import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import type { Digest, StoredPeppers } from '../credential/pepper.ts';
import type { Scope } from '../credential/scope.ts';

export interface Credential extends StoredPeppers {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly label: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

export interface NewCredential {
  readonly accountId: bigint;
  readonly testMode: boolean;
  readonly label: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | undefined;
  /** The digest for processes that do not know the newest pepper yet. */
  readonly former: Digest | undefined;
  readonly newest: Digest;
}

export async function insertCredential(db: Queryable, credential: NewCredential): Promise<Credential> {
  const { accountId, testMode, label, prefix, scopes, expiresAt, former, newest } = credential;
  const first = former ?? newest;
  const moved = former && newest;
  const rows = await readRows<Credential>(
    db,
    `insert into credential (account_id, test_mode, label, prefix, scopes, expires_at,
                             pepper, digest, moved_pepper, moved_digest)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning ${COLUMNS}`,
    [
      ...[accountId, testMode, label, prefix, scopes, expiresAt],
      ...[first.pepper, first.digest, moved?.pepper, moved?.digest],
    ],
  );
  return rows[0] as Credential;
}

export async function findCredential(db: Queryable, id: bigint): Promise<Credential | undefined> {
  return (await readRows<Credential>(db, `select ${COLUMNS} from credential where id = $1`, [id]))[0];
}

export interface CredentialFilter {
  readonly accountId: bigint | undefined;
  readonly afterId: bigint;
  readonly limit: number;
  readonly notAtPepper: string | undefined;
}

export async function listCredentials(db: Queryable, filter: CredentialFilter): Promise<readonly Credential[]> {
  const { accountId, afterId, limit, notAtPepper } = filter;
  const rows = await readRows<Credential>(
    db,
    `select ${COLUMNS}
     from credential
     where ($1::bigint is null or account_id = $1) and id > $2
           and ($3::text is null or (coalesce(moved_pepper, pepper) <> $3 and revoked_at is null
                                     and (expires_at is null or expires_at > clock_timestamp())))
     order by id
     limit $4`,
    [accountId, afterId, notAtPepper, limit],
  );
  return rows;
}

/** Returns undefined if the credential is unknown or already revoked. */
export async function revokeCredential(db: Queryable, id: bigint): Promise<Credential | undefined> {
  const rows = await readRows<Credential>(
    db,
    `update credential
     set revoked_at = clock_timestamp()
     where id = $1 and revoked_at is null
     returning ${COLUMNS}`,
    [id],
  );
  return rows[0];
}

export async function recordUse(db: Queryable, uses: ReadonlyMap<bigint, Date>): Promise<void> {
  await db.query({
    name: 'record-use',
    text: `
      with used as (
        select c.id, u.used_at
        from unnest($1::bigint[], $2::timestamptz[]) as u (id, used_at)
        join credential c on c.id = u.id and (c.last_used_at is null or c.last_used_at < u.used_at)
        order by c.id
        for update of c
      )
      update credential
      set last_used_at = used.used_at
      from used
      where credential.id = used.id`,
    values: [[...uses.keys()], [...uses.values()]],
  });
}

const COLUMNS = `id, account_id as "accountId", label, prefix, scopes, pepper, moved_pepper as "movedPepper",
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;
