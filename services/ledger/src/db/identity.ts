import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Digest, StoredPeppers } from '../credential/pepper.ts';
import type { Scope } from '../credential/scope.ts';
import type { StoredVersion } from './principal-change.ts';

export interface Identity extends StoredPeppers {
  readonly credentialId: bigint;
  readonly accountId: bigint;
  readonly testMode: boolean;
  readonly scopes: readonly Scope[];
  readonly validForMs: bigint | undefined;
  readonly subscription:
    | { readonly id: bigint; readonly plan: string; readonly status: string; readonly pageLimit: number }
    | undefined;
  /** The answer includes every change up to this version, and none after. */
  readonly version: StoredVersion;
  readonly usedAt: Date;
}

export async function findIdentity(db: Queryable, digests: readonly Digest[]): Promise<Identity | undefined> {
  const { rows } = await db.query<IdentityRow>({
    name: 'find-identity',
    text: `
      select c.id, c.account_id, c.test_mode, c.scopes, c.pepper, c.moved_pepper, s.id as subscription_id, s.plan, s.status, l.page_limit,
             case when c.expires_at is not null
               then greatest(0, floor(extract(epoch from c.expires_at - clock_timestamp()) * 1000))::bigint
             end as valid_for_ms,
             date_trunc('minute', clock_timestamp()) as used_at, v.epoch, v.version
      from credential c
      left join subscription s on s.account_id = c.account_id
      left join subscription_limit l on l.subscription_id = s.id
      cross join (select principal_epoch() as epoch, version from principal_version) v
      where (c.digest = any($1::bytea[]) or c.moved_digest = any($1::bytea[])) and c.revoked_at is null
            and (c.expires_at is null or c.expires_at > clock_timestamp())`,
    values: [digests.map(({ digest }) => digest)],
  });
  return rows[0] && toIdentity(rows[0]);
}

interface IdentityRow {
  id: bigint;
  account_id: bigint;
  test_mode: boolean;
  scopes: Scope[];
  pepper: string;
  moved_pepper: string | null;
  valid_for_ms: bigint | null;
  subscription_id: bigint | null;
  plan: string;
  status: string;
  page_limit: number;
  used_at: Date;
  epoch: string;
  version: bigint;
}

function toIdentity(row: IdentityRow): Identity {
  const { plan, status, page_limit: pageLimit } = row;
  return {
    credentialId: row.id,
    accountId: row.account_id,
    testMode: row.test_mode,
    scopes: row.scopes,
    pepper: row.pepper,
    movedPepper: row.moved_pepper ?? undefined,
    validForMs: row.valid_for_ms ?? undefined,
    subscription: row.subscription_id === null ? undefined : { id: row.subscription_id, plan, status, pageLimit },
    version: { epoch: row.epoch, version: row.version },
    usedAt: row.used_at,
  };
}
