import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { StartupError } from '@ces/chassis/service/lifecycle';
import pg from 'pg';
import type { BackupHead } from './dump.ts';
import { listMigrations, listSequences, listTables, type Table } from './tables.ts';

/** Bounds of an insert statement. Postgres limits a jsonb value to 256 MB. */
const ROWS_AT_ONCE = 1_000;
const CHARACTERS_AT_ONCE = 16_000_000;

/** Restores all or nothing, at the same migrations. No service may use the database meanwhile. */
export async function restore(url: string, file: string): Promise<{ readonly at: string; readonly rows: number }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const restored = await replaceAll(client, file).catch((error: unknown) => {
      throw isCutOff(error) ? notWhole(file) : error;
    });
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
  // The backup contains what triggers would write, and the truncate empties what they would empty.
  for (const name of tables.keys()) await switchTriggers(client, name, 'disable');
  await client.query(`truncate ${names}`);
  const restored = await loadLines(client, file, tables);
  for (const name of tables.keys()) await switchTriggers(client, name, 'enable');
  for (const statement of foreignKeys) await client.query(statement);
  await moveSequences(client, restored.sequences);
  return restored;
}

async function loadLines(client: pg.Client, file: string, tables: ReadonlyMap<string, Table>) {
  const input = createReadStream(file);
  const lines = createInterface({ input: input.pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY });
  let head: BackupHead | undefined;
  let table: Table | undefined;
  let batch: string[] = [];
  let characters = 0;
  let rows = 0;
  let isWhole = false;
  const flush = async () => {
    if (table && batch.length > 0) await insert(client, table, batch);
    rows += batch.length;
    [batch, characters] = [[], 0];
  };
  for await (const line of lines) {
    const mark = head === undefined || /^\{"(table|rows)":/.test(line) ? JSON.parse(line) : undefined;
    if (head === undefined) {
      head = await checkHead(client, mark, file);
      await makeRoom(client, head);
    } else if (mark && 'rows' in mark && Object.keys(mark).length === 1) {
      await flush();
      isWhole = mark.rows === rows;
    } else if (mark && Object.keys(mark).length === 1) {
      await flush();
      table = tables.get(mark.table);
      if (!table) throw new StartupError(`${file} has a table ${mark.table} that the database does not have.`);
    } else {
      characters += line.length;
      if (batch.push(line) >= ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await flush();
    }
  }
  if (!isWhole || head === undefined) throw notWhole(file);
  return { at: head.at, sequences: head.sequences ?? {}, rows };
}

function notWhole(file: string): StartupError {
  return new StartupError(`${file} is incomplete: nothing was restored.`);
}

/** A zlib error: the file is truncated or no gzip file. */
function isCutOff(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_');
}

async function checkHead(client: pg.Client, head: BackupHead, file: string): Promise<BackupHead> {
  const present = await listMigrations(client);
  if (head.format === 1 && JSON.stringify(head.migrations) === JSON.stringify(present)) return head;
  throw new StartupError(
    `${file} was made at migration ${head.migrations?.at(-1)}, the database is at ${present.at(-1)}: restore it with the version that made it, then start the current version.`,
  );
}

/** A table without a default partition needs a matching one for each row. */
async function makeRoom(client: pg.Client, { partitions }: BackupHead): Promise<void> {
  const { rows } = await client.query(`select to_regprocedure('restore_partitions(jsonb)') is not null as "isKnown"`);
  if (rows[0]?.isKnown) await client.query('select restore_partitions($1)', [JSON.stringify(partitions)]);
}

async function insert(client: pg.Client, { name, columns }: Table, rows: readonly string[]): Promise<void> {
  const list = columns.map((column) => client.escapeIdentifier(column));
  await client.query(
    `insert into ${client.escapeIdentifier(name)} (${list.join(', ')}) overriding system value
     select ${list.join(', ')} from jsonb_populate_recordset(null::${client.escapeIdentifier(name)}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  );
}

async function switchTriggers(client: pg.Client, table: string, to: 'disable' | 'enable'): Promise<void> {
  await client.query(`alter table ${client.escapeIdentifier(table)} ${to} trigger user`);
}

/** Tables load by name, so keys are checked at the end. Returns the restoring statements. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
}

/** Never back, so no later id is reused; `ces after-restore` skips further. */
async function moveSequences(client: pg.Client, sequences: Readonly<Record<string, string>>): Promise<void> {
  const present = await listSequences(client);
  for (const [name, last] of Object.entries(sequences))
    if (name in present)
      await client.query('select setval($1::regclass, greatest($2::bigint, $3::bigint, 1))', [
        client.escapeIdentifier(name),
        last,
        present[name],
      ]);
}
