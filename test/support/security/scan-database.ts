import pg from 'pg';
import { found, type Needle } from './token-forms.ts';

interface Column {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

export interface ScannedDatabase {
  readonly columns: number;
  readonly values: number;
  readonly leaks: readonly string[];
}

/**
 * Searches every column that can hold text or bytes. `url` needs a role that may read all tables.
 */
export async function scanDatabase(url: string, needles: readonly Needle[]): Promise<ScannedDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const columns = await columnsOf(client);
    let values = 0;
    const leaks: string[] = [];
    for (const { schema, table, column, type } of columns) {
      const name = [schema, table].map((part) => client.escapeIdentifier(part)).join('.');
      const field = client.escapeIdentifier(column);
      const value = type === 'bytea' ? field : `convert_to(${field}::text, 'UTF8')`;
      const { rows } = await client.query<{ value: Buffer }>(
        `select ${value} as value from ${name} where ${field} is not null`,
      );
      values += rows.length;
      const all = Buffer.concat(rows.flatMap((row) => [row.value, Buffer.from('\n')]));
      leaks.push(...found(needles, all).map((what) => `${table}.${column}: ${what}`));
    }
    return { columns: columns.length, values, leaks };
  } finally {
    await client.end();
  }
}

async function columnsOf(client: pg.Client): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `select n.nspname as schema, c.relname as table, a.attname as column, t.typname as type
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'm')
     join pg_namespace n on n.oid = c.relnamespace and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
     join pg_type t on t.oid = a.atttypid
     where a.attnum > 0 and not a.attisdropped and t.typcategory not in ('N', 'D', 'B')
     order by 1, 2, 3`,
  );
  return rows;
}
