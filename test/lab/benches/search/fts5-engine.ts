import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  CONTEXT_WEIGHT,
  DESCRIBED_COMPANIES,
  type Engine,
  type FilledPeer,
  HITS,
  UNANSWERING_FACTOR,
} from './engine.ts';
import type { FilterClass } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { processorClock } from './processor-clock.ts';

/**
 * SQLite FTS5 on disk with its own BM25 and a filter table. A second FTS5 table contains the
 * profiles.
 */
export async function fillFts5(record: GeneratedRecord): Promise<FilledPeer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'search-fts5-'));
  const file = path.join(folder, 'index.sqlite');
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -262144;
    create virtual table entry using fts5 (text, content = '', tokenize = 'porter unicode61');
    create virtual table profile using fts5 (text, content = '', tokenize = 'porter unicode61');
    create table filter (id integer primary key, company integer, kind integer, country integer, occurred integer);
    create index filter_occurred on filter (occurred);`);
  insert(db, record);
  db.exec(`create index filter_company on filter (company);
    insert into entry (entry) values ('optimize'); insert into profile (profile) values ('optimize'); analyze;
    pragma wal_checkpoint(truncate);`);
  return {
    engines: [ownTexts(db), withContext(db)],
    bytes: (await stat(file)).size,
    clock: processorClock(),
    async [Symbol.asyncDispose]() {
      db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ownTexts(db: DatabaseSync): Engine {
  return {
    name: 'SQLite FTS5',
    hasContext: false,
    async ask(words, within) {
      const [condition, values] = conditionOf(within);
      const rows = db
        .prepare(`select entry.rowid as id from entry join filter on filter.id = entry.rowid
                   where entry match ?${condition} order by entry.rank limit ${HITS}`)
        .all(matchOf(words), ...values);
      return { ids: () => rows.map((row) => Number(row.id)) };
    },
  };
}

/**
 * Ranks companies by their best observation. Companies that match by profile compete with that
 * score only.
 */
function withContext(db: DatabaseSync): Engine {
  return {
    name: 'SQLite FTS5 with context',
    hasContext: true,
    async ask(words, within) {
      const [condition, values] = conditionOf(within);
      const match = matchOf(words);
      const rows = db
        .prepare(`with described as materialized (
                    select rowid as company, -rank * ${CONTEXT_WEIGHT} as gain from profile
                     where profile match ? order by rank limit ${DESCRIBED_COMPANIES}),
                  found as (
                    select filter.id, filter.company, coalesce(described.gain, 0) - entry.rank as score
                      from entry join filter on filter.id = entry.rowid
                      left join described on described.company = filter.company
                     where entry match ?${condition}
                    union all
                    select filter.id, filter.company, described.gain * ${UNANSWERING_FACTOR}
                      from described join filter on filter.company = described.company where true${condition})
                  select id, max(score) as score from found group by company order by score desc limit ${HITS}`)
        .all(match, match, ...values, ...values);
      return { ids: () => rows.map((row) => Number(row.id)) };
    },
  };
}

function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' OR ');
}

function insert(db: DatabaseSync, record: GeneratedRecord): void {
  const entry = db.prepare('insert into entry (rowid, text) values (?, ?)');
  const filter = db.prepare('insert into filter (id, company, kind, country, occurred) values (?, ?, ?, ?, ?)');
  const profile = db.prepare('insert into profile (rowid, text) values (?, ?)');
  db.exec('begin');
  for (let index = 0; index < record.observations; index += 1) {
    const { id, companyId, observedFact, kind, country, occurredAt } = record.observation(index);
    entry.run(id, observedFact);
    filter.run(id, companyId, kind, country, occurredAt ? timestampMs(occurredAt) : 0);
  }
  for (let index = 0; index < record.companies; index += 1) {
    const company = record.company(index);
    profile.run(company.id, company.profile);
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
