import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';

export interface Account {
  readonly id: bigint;
  readonly name: string;
  readonly testMode: boolean;
  readonly createdAt: Date;
}

const COLUMNS = 'id, name, test_mode as "testMode", created_at as "createdAt"';

export async function insertAccount(db: Queryable, name: string, testMode: boolean): Promise<Account> {
  const rows = await readRows<Account>(
    db,
    `insert into account (name, test_mode)
     values ($1, $2)
     returning ${COLUMNS}`,
    [name, testMode],
  );
  return rows[0] as Account;
}

export async function findAccount(db: Queryable, id: bigint): Promise<Account | undefined> {
  return (await readRows<Account>(db, `select ${COLUMNS} from account where id = $1`, [id]))[0];
}

export async function listAccounts(db: Queryable, afterId: bigint, limit: number): Promise<readonly Account[]> {
  return await readRows<Account>(
    db,
    `select ${COLUMNS}
     from account
     where id > $1
     order by id
     limit $2`,
    [afterId, limit],
  );
}
