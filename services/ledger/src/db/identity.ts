import type { Queryable } from '@ces/chassis/postgres/pool';

/** Whom a digest belongs to, with the account's subscription if it has one. */
export interface Identity {
  readonly credentialId: bigint;
  readonly accountId: bigint;
  readonly testMode: boolean;
  readonly subscription:
    | { readonly id: bigint; readonly plan: string; readonly status: string; readonly pageLimit: number }
    | undefined;
  /** The minute of the use, by the database's clock. */
  readonly usedAt: Date;
}

/** The credential with one of these digests, unless it is revoked. */
export async function findIdentity(db: Queryable, digests: readonly Buffer[]): Promise<Identity | undefined> {
  const { rows } = await db.query<IdentityRow>({
    name: 'find-identity',
    text: `
      select c.id, c.account_id, c.test_mode, s.id as subscription_id, s.plan, s.status, l.page_limit,
             date_trunc('minute', clock_timestamp()) as used_at
      from credential c
      left join subscription s on s.account_id = c.account_id
      left join subscription_limit l on l.subscription_id = s.id
      where c.digest = any($1::bytea[]) and c.revoked_at is null`,
    values: [digests],
  });
  return rows[0] && toIdentity(rows[0]);
}

interface IdentityRow {
  id: bigint;
  account_id: bigint;
  test_mode: boolean;
  subscription_id: bigint | null;
  plan: string;
  status: string;
  page_limit: number;
  used_at: Date;
}

function toIdentity(row: IdentityRow): Identity {
  const { plan, status, page_limit: pageLimit } = row;
  return {
    credentialId: row.id,
    accountId: row.account_id,
    testMode: row.test_mode,
    subscription: row.subscription_id === null ? undefined : { id: row.subscription_id, plan, status, pageLimit },
    usedAt: row.used_at,
  };
}
