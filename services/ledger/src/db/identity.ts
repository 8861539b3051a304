import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import type { Digest, StoredPeppers } from '../credential/pepper.ts';
import type { Scope } from '../credential/scope.ts';

export interface Identity extends StoredPeppers {
  readonly credentialId: bigint;
  readonly accountId: bigint;
  readonly testMode: boolean;
  readonly scopes: readonly Scope[];
  readonly validForMs: bigint | undefined;
  /** Undefined with its plan, status and limit if the account has none. */
  readonly subscriptionId: bigint | undefined;
  readonly plan: string | undefined;
  readonly status: string | undefined;
  readonly pageLimit: number | undefined;
  /** With `version`: the answer includes every change up to it, and none after. */
  readonly epoch: string;
  readonly version: bigint;
  readonly usedAt: Date;
}

export async function findIdentity(db: Queryable, digests: readonly Digest[]): Promise<Identity | undefined> {
  const rows = await readRows<Identity>(db, {
    name: 'find-identity',
    text: `
      select c.id as "credentialId", c.account_id as "accountId", c.test_mode as "testMode", c.scopes, c.pepper,
             c.moved_pepper as "movedPepper", s.id as "subscriptionId", s.plan, s.status, l.page_limit as "pageLimit",
             case when c.expires_at is not null
               then greatest(0, floor(extract(epoch from c.expires_at - clock_timestamp()) * 1000))::bigint
             end as "validForMs",
             date_trunc('minute', clock_timestamp()) as "usedAt", v.epoch, v.version
      from credential c
      left join subscription s on s.account_id = c.account_id
      left join subscription_limit l on l.subscription_id = s.id
      cross join (select principal_epoch() as epoch, version from principal_version) v
      where (c.digest = any($1::bytea[]) or c.moved_digest = any($1::bytea[])) and c.revoked_at is null
            and (c.expires_at is null or c.expires_at > clock_timestamp())`,
    values: [digests.map(({ digest }) => digest)],
  });
  return rows[0];
}
