import type { Queryable } from '@ces/chassis/postgres/pool';

export async function readNameKeyVersion(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ version: number }>('select version from name_key_version');
  return rows[0]?.version ?? 0;
}

export async function writeNameKeyVersion(client: Queryable, version: number): Promise<void> {
  await client.query(
    `insert into name_key_version as known (version) values ($1)
     on conflict (lone) do update set version = greatest(known.version, excluded.version)`,
    [version],
  );
}
