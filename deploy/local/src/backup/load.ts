import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { StartupError } from '@ces/chassis/service/lifecycle';
import pg from 'pg';
import type { BackupHead } from './dump.ts';
import { listMigrations, listTables, type Table } from './tables.ts';

const ROWS_AT_ONCE = 1_000;
/** Numbers that were given out after the moment of a backup must never be given out again: each sequence skips so many. */
const SKIPPED = 1_000_000_000n;

/**
 * Puts a database, whose tables are at the same migrations, back to the moment of a backup, or leaves it as it is. `url`
 * names the role that owns the tables. No service may use the database meanwhile.
 */
export async function restore(url: string, file: string): Promise<{ readonly at: string; readonly rows: number }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const restored = await replaceAll(client, file);
    await client.query('commit');
    return restored;
  } finally {
    await client.end();
  }
}

async function replaceAll(client: pg.Client, file: string) {
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]));
  const names = [...tables.keys()].map((name) => client.escapeIdentifier(name)).join(', ');
  const foreignKeys = await dropForeignKeys(client);
  await client.query(`truncate ${names}`);
  const restored = await loadLines(client, file, tables);
  for (const statement of foreignKeys) await client.query(statement);
  await skipNumbers(client);
  return restored;
}

async function loadLines(client: pg.Client, file: string, tables: ReadonlyMap<string, Table>) {
  const input = createReadStream(file);
  const lines = createInterface({ input: input.pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY });
  let at: string | undefined;
  let table: Table | undefined;
  let batch: string[] = [];
  let rows = 0;
  let isWhole = false;
  const flush = async () => {
    if (table && batch.length > 0) await insert(client, table, batch);
    rows += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    const mark = at === undefined || /^\{"(table|rows)":/.test(line) ? JSON.parse(line) : undefined;
    if (at === undefined) at = (await checkHead(client, mark, file)).at;
    else if (mark && 'rows' in mark && Object.keys(mark).length === 1) {
      await flush();
      isWhole = mark.rows === rows;
    } else if (mark && Object.keys(mark).length === 1) {
      await flush();
      table = tables.get(mark.table);
      if (!table) throw new StartupError(`${file} has a table ${mark.table} that the database has not.`);
    } else if (batch.push(line) >= ROWS_AT_ONCE) await flush();
  }
  if (!isWhole || at === undefined) throw new StartupError(`${file} is not whole: nothing was restored.`);
  return { at, rows };
}

async function checkHead(client: pg.Client, head: BackupHead, file: string): Promise<BackupHead> {
  const present = await listMigrations(client);
  if (head.format === 1 && JSON.stringify(head.migrations) === JSON.stringify(present)) return head;
  throw new StartupError(
    `${file} was made at migration ${head.migrations?.at(-1)}, the database is at ${present.at(-1)}: restore it with the version that made it, then start the present one.`,
  );
}

/** Numbers of transactions belong to the server that gave them: those of a restored table are all past. */
async function insert(
  client: pg.Client,
  { name, columns, transactions }: Table,
  rows: readonly string[],
): Promise<void> {
  const list = columns.map((column) => client.escapeIdentifier(column));
  const values = columns.map((column, at) => (transactions.includes(column) ? `'3'::xid8` : list[at]));
  await client.query(
    `insert into ${client.escapeIdentifier(name)} (${list.join(', ')}) overriding system value
     select ${values.join(', ')} from jsonb_populate_recordset(null::${client.escapeIdentifier(name)}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  );
}

/** Tables come in the order of their names, so keys are checked when all are there; returns what makes them anew. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
}

async function skipNumbers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select quote_ident(c.relname) as table, quote_ident(a.attname) as column,
       pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> '' and a.atttypid = 'int8'::regtype
       and not c.relispartition and c.relname <> 'migration'`,
  );
  for (const { table, column, sequence } of rows)
    await client.query(`select setval($1::regclass, (select coalesce(max(${column}), 0) from ${table}) + $2::bigint)`, [
      sequence,
      SKIPPED,
    ]);
}
