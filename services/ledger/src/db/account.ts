import type { Queryable } from '@ces/chassis/postgres/pool';

export interface Account {
  readonly id: bigint;
  readonly name: string;
  readonly testMode: boolean;
  readonly createdAt: Date;
}

export async function insertAccount(db: Queryable, name: string, testMode: boolean): Promise<Account> {
  const { rows } = await db.query<AccountRow>(
    `insert into account (name, test_mode)
     values ($1, $2)
     returning id, name, test_mode, created_at`,
    [name, testMode],
  );
  return toAccount(rows[0] as AccountRow);
}

export async function findAccount(db: Queryable, id: bigint): Promise<Account | undefined> {
  const { rows } = await db.query<AccountRow>('select id, name, test_mode, created_at from account where id = $1', [
    id,
  ]);
  return rows[0] && toAccount(rows[0]);
}

export async function listAccounts(db: Queryable, afterId: bigint, limit: number): Promise<readonly Account[]> {
  const { rows } = await db.query<AccountRow>(
    `select id, name, test_mode, created_at
     from account
     where id > $1
     order by id
     limit $2`,
    [afterId, limit],
  );
  return rows.map(toAccount);
}

interface AccountRow {
  id: bigint;
  name: string;
  test_mode: boolean;
  created_at: Date;
}

function toAccount(row: AccountRow): Account {
  return { id: row.id, name: row.name, testMode: row.test_mode, createdAt: row.created_at };
}
