import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { listMigrations, listPartitions, listSequences, listTables, type Partition, type Table } from './tables.ts';

export interface BackupHead {
  readonly format: 1;
  /** Time of the snapshot, by the database's clock. */
  readonly at: string;
  readonly migrations: readonly string[];
  readonly sequences: Readonly<Record<string, string>>;
  /** Partitions that the rows need and the target database may lack. */
  readonly partitions: readonly Partition[];
}

/** Approximate bounds of memory. */
const ROWS_AT_ONCE = 1_000;
const CHARACTERS_AT_ONCE = 16_000_000;
const FIRST_ROWS = 10;

/** Mode 0600; gzipped JSON lines: head, tables with rows, total. `url` names the tables' owner. */
export async function backUp(url: string, file: string): Promise<{ readonly at: string; readonly rows: number }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
    const at = rows[0]?.at ?? '';
    const written = { rows: 0 };
    const staging = `${file}.part`;
    const lines = Readable.from(linesOf(client, at, written));
    await pipeline(lines, createGzip({ level: 6 }), createWriteStream(staging, { mode: 0o600 }));
    await rename(staging, file);
    return { at, rows: written.rows };
  } finally {
    await client.end();
  }
}

async function* linesOf(client: pg.Client, at: string, written: { rows: number }): AsyncGenerator<string> {
  const head: BackupHead = {
    format: 1,
    at,
    migrations: await listMigrations(client),
    sequences: await listSequences(client),
    partitions: await listPartitions(client),
  };
  yield `${JSON.stringify(head)}\n`;
  for (const table of await listTables(client)) {
    yield `${JSON.stringify({ table: table.name })}\n`;
    for await (const row of rowsOf(client, table)) {
      written.rows += 1;
      yield `${row}\n`;
    }
  }
  yield `${JSON.stringify({ rows: written.rows })}\n`;
}

/** Never parsed: numbers would lose 64-bit precision and timestamps their microseconds. */
async function* rowsOf(client: pg.Client, { name, columns }: Table): AsyncGenerator<string> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const from = client.escapeIdentifier(name);
  await client.query(
    `declare backup no scroll cursor for select to_jsonb(t)::text as row from (select ${list} from ${from}) t`,
  );
  for (let [count, isWhole] = [FIRST_ROWS, false]; !isWhole; ) {
    const { rows } = await client.query<{ row: string }>(`fetch ${count} from backup`);
    let characters = 1;
    for (const { row } of rows) {
      characters += row.length;
      yield row;
    }
    isWhole = rows.length < count;
    count = Math.min(ROWS_AT_ONCE, 10 * count, Math.ceil((count * CHARACTERS_AT_ONCE) / characters));
  }
  await client.query('close backup');
}
