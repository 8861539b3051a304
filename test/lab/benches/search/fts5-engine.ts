import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Engine, HITS } from './engine.ts';
import type { FilterClass } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';

/** SQLite FTS5 on disk, its own BM25, filters in a table beside it. */
export async function fillFts5(record: GeneratedRecord): Promise<{ engine: Engine; bytes: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'search-fts5-'));
  const file = path.join(folder, 'index.sqlite');
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -262144;
    create virtual table entry using fts5 (text, content = '', tokenize = 'porter unicode61');
    create table filter (id integer primary key, kind integer, country integer, occurred integer);
    create index filter_occurred on filter (occurred);`);
  insert(db, record);
  db.exec(`insert into entry (entry) values ('optimize'); analyze;`);
  const engine: Engine = {
    name: 'SQLite FTS5',
    async ask(words, within) {
      const match = words.map((word) => `"${word}"`).join(' OR ');
      const [condition, values] = conditionOf(within);
      const rows = db
        .prepare(`select entry.rowid as id from entry join filter on filter.id = entry.rowid
                   where entry match ?${condition} order by entry.rank limit ${HITS}`)
        .all(match, ...values);
      return () => rows.map((row) => Number(row.id));
    },
    async [Symbol.asyncDispose]() {
      db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  db.exec('pragma wal_checkpoint(truncate)');
  return { engine, bytes: (await stat(file)).size };
}

function insert(db: DatabaseSync, record: GeneratedRecord): void {
  const entry = db.prepare('insert into entry (rowid, text) values (?, ?)');
  const filter = db.prepare('insert into filter (id, kind, country, occurred) values (?, ?, ?, ?)');
  db.exec('begin');
  for (let index = 0; index < record.observations; index += 1) {
    const { id, observedFact, kind, country, occurredAt } = record.observation(index);
    entry.run(id, observedFact);
    filter.run(id, kind, country, occurredAt ? timestampMs(occurredAt) : 0);
  }
  db.exec('commit');
}

function conditionOf({ since, kind, country }: FilterClass): readonly [string, number[]] {
  const parts: readonly (readonly [string, number | undefined])[] = [
    [' and filter.occurred >= ?', since?.getTime()],
    [' and filter.kind = ?', kind],
    [' and filter.country = ?', country],
  ];
  const given = parts.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  return [given.map(({ sql }) => sql).join(''), given.map(({ value }) => value)];
}
