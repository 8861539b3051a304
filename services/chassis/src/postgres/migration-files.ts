import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrationBuilder, RunnerOption } from 'node-pg-migrate';
import { StartupError } from '../service/lifecycle.ts';

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number];

const WITHOUT_TRANSACTION = /^-- migrate: without transaction(?:, for each partition of ([a-z0-9_]+))?\r?\n/;
const PARTITION = '{partition}';
const BUILDS_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(if\s+not\s+exists\s+)?([a-z0-9_{}]+)\s+on\b/i;
const CONCURRENT = /\bconcurrently\b/i;
const INCLUDE = /^-- migrate: include ([a-z-]+\.sql)$/gm;
const SHARED = path.join(import.meta.dirname, '../../migrations');

export interface RoleNames {
  readonly written: string;
  readonly actual: string;
}

/**
 * `-- migrate: without transaction` heads a file with one statement: `create index concurrently`,
 * or a `do` block that commits in batches. It must be repeatable; an index that a failed attempt
 * left invalid is dropped first. With `, for each partition of TABLE` it runs once per partition,
 * whose name replaces `{partition}`. `-- migrate: include FILE` inserts a file of
 * `services/chassis/migrations`.
 */
export function migrationFiles(lockTimeoutMs: number, roles?: RoleNames): Strategy {
  return {
    extensions: ['.sql'],
    loader: (files) =>
      Promise.all(
        files.map(async (file) => {
          const sql = inNameOf(roles, withIncludes(await readFile(file, 'utf8')));
          const up = WITHOUT_TRANSACTION.test(sql)
            ? withoutTransaction(file, sql, lockTimeoutMs)
            : inOneTransaction(sql);
          return { id: file, filePaths: [file], actions: { up, down: false as const } };
        }),
      ),
  };
}

function withIncludes(sql: string): string {
  return sql.replaceAll(INCLUDE, (_, file) => readFileSync(path.join(SHARED, file), 'utf8'));
}

const ROLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** Where a file grants, revokes or looks up rights; released files never change. */
function inNameOf(roles: RoleNames | undefined, sql: string): string {
  if (!roles || roles.actual === roles.written) return sql;
  const { written, actual } = roles;
  if (!ROLE_NAME.test(actual)) throw new StartupError(`${actual} is no name of a role: letters, digits, _ and - are.`);
  return sql
    .replaceAll(new RegExp(`\\b(to|from) ${written}(?=\\s*[;'])`, 'g'), `$1 "${actual}"`)
    .replaceAll(`grantee = '${written}'`, `grantee = '${actual}'`);
}

function inOneTransaction(sql: string) {
  return (migration: MigrationBuilder): void => migration.sql(sql);
}

function withoutTransaction(file: string, sql: string, lockTimeoutMs: number) {
  const [, repeatable, index] = sql.match(BUILDS_INDEX) ?? [];
  if (index !== undefined && repeatable === undefined)
    throw new Error(
      `${file}: an index that is built concurrently wants "if not exists", since it may be built but not noted`,
    );
  const [, table] = sql.match(WITHOUT_TRANSACTION) ?? [];
  return async (migration: MigrationBuilder): Promise<void> => {
    migration.noTransaction();
    // Waits for older transactions, but blocks no reads or writes.
    if (CONCURRENT.test(sql)) await migration.db.query('set lock_timeout = 0');
    for (const partition of table === undefined ? [''] : await partitionsOf(migration, table)) {
      const name = index?.replaceAll(PARTITION, partition);
      if (name !== undefined && (await isInvalid(migration, name)))
        await migration.db.query(`drop index concurrently ${name}`);
      migration.sql(sql.replaceAll(PARTITION, partition));
    }
    migration.sql(`set lock_timeout = '${lockTimeoutMs}ms'`);
  };
}

async function partitionsOf(migration: MigrationBuilder, table: string): Promise<string[]> {
  const { rows }: { rows: { name: string }[] } = await migration.db.query(
    `select c.relname as name from pg_partition_tree(to_regclass($1)) t join pg_class c on c.oid = t.relid
     where t.isleaf order by c.relname`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function isInvalid(migration: MigrationBuilder, index: string): Promise<boolean> {
  const { rows } = await migration.db.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  return rows.length > 0;
}
