import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import { deliverable } from '../hydration/rendered-observation.ts';

export interface Position {
  readonly tx: bigint;
  readonly seq: bigint;
}

export interface Change extends Position {
  readonly observationId: bigint | undefined;
  readonly companyId: bigint | undefined;
}

/** Once no transaction before its own is open. */
const READABLE = 'tx < pg_snapshot_xmin(pg_current_snapshot())';

const TIMELINE = '(select current_timeline())';

/** Checked before a new support counts as a change of the domain. */
const MAX_OLDER_SUPPORTS = 4;

/** An older observation supports the domain of `s` at least as long: the document stays. */
const IS_SUPPORTED_ANYWAY = `exists (
  select from (select older.observation_id from domain_support older
                where older.company_domain_id = s.company_domain_id and older.observation_id < $3
                order by older.observation_id desc limit ${MAX_OLDER_SUPPORTS}) older
   cross join lateral (
     select id, expires_at, withdrawn_at, unverified_at from observation where id = older.observation_id offset 0) o
   where ${deliverable('statement_timestamp()')} and (o.expires_at is null or o.expires_at >= added.expires_at))`;

/**
 * Appends changes of observations and of companies whose documents show them. The caller holds the
 * locks of the canonical companies. Returns the transaction id; undefined without changes.
 */
export async function appendObservationChanges(
  client: Queryable,
  ids: readonly bigint[],
  created: readonly bigint[] = [],
): Promise<bigint | undefined> {
  if (ids.length === 0) return undefined;
  const { rows } = await client.query<{ tx: string }>(
    `with changed as (
       select added.id, added.company_id,
              added.kind = 'company_profile' or exists (
                select from domain_support s
                 where s.observation_id = added.id
                   and not (added.id in (select unnest($2::bigint[])) and ${IS_SUPPORTED_ANYWAY})) as shown
         from observation added where added.id = any($1)),
     touched as (
       update company set version = version + 1
        where id in (select c.survivor_id from changed join company c on c.id = changed.company_id where shown)
       returning id)
     insert into change (observation_id, company_id, timeline)
     select c.observation_id, c.company_id, ${TIMELINE}
       from (select id, null from changed union all select null, id from touched) as c(observation_id, company_id)
     returning tx`,
    [ids, created, created.reduce((oldest, id) => (id < oldest ? id : oldest), created[0] ?? 0n)],
  );
  return rows[0] && BigInt(rows[0].tx);
}

/**
 * Appends changes of companies and their canonical companies. Those in `created` keep their
 * version, because no reader has seen it. Returns the transaction id; undefined without changes.
 */
export async function appendCompanyChanges(
  client: Queryable,
  ids: readonly bigint[],
  created: readonly bigint[] = [],
): Promise<bigint | undefined> {
  if (ids.length === 0) return undefined;
  const { rows } = await client.query<{ tx: string }>(
    `with touched as (
       update company set version = version + 1
        where id in (select id from unnest($1::bigint[]) as i(id)
                      union
                     select c.survivor_id from company c where c.id = any($1))
          and id not in (select unnest($2::bigint[]))
       returning id)
     insert into change (company_id, timeline)
     select c.id, ${TIMELINE} from (select id from touched union all select id from unnest($2::bigint[]) as i(id)) c
     returning tx`,
    [ids, created],
  );
  return rows[0] && BigInt(rows[0].tx);
}

/** Returns the transaction id; undefined without observations. */
export async function appendMovedObservations(
  client: Queryable,
  companyIds: readonly bigint[],
): Promise<bigint | undefined> {
  if (companyIds.length === 0) return undefined;
  const { rows } = await client.query<{ tx: string }>(
    `with moved as (
       update observation set version = version + 1 where company_id = any($1) returning id)
     insert into change (observation_id, timeline) select id, ${TIMELINE} from moved
     returning tx`,
    [companyIds],
  );
  return rows[0] && BigInt(rows[0].tx);
}

/** Text, because pg has no parser for xid8. */
interface PositionRow {
  readonly tx: string;
  readonly seq: bigint;
}

function toPosition<Row extends PositionRow>(row: Row): Omit<Row, 'tx'> & Position {
  return { ...row, tx: BigInt(row.tx) };
}

/** Changes of an open transaction, and later ones, wait: no reader skips one (decision 0011). */
export async function listChanges(db: Queryable, after: Position, limit: number): Promise<Change[]> {
  const rows = await readRows<Omit<Change, 'tx'> & PositionRow>(
    db,
    `select tx, seq, observation_id as "observationId", company_id as "companyId"
       from change
      where (tx, seq) > ($1::xid8, $2::bigint) and ${READABLE}
      order by tx, seq
      limit $3`,
    [String(after.tx), after.seq, limit],
  );
  return rows.map(toPosition);
}

export interface FeedEnd {
  /** A UUID, the server's system identifier and its timeline, separated by dots (decision 0011). */
  readonly epoch: string;
  readonly isBeyondEnd: boolean;
  readonly hasMore: boolean;
  readonly readable: Position | undefined;
}

/** One statement, because a reader that has everything calls it every second. */
export async function readFeedEnd(db: Queryable, { tx, seq }: Position): Promise<FeedEnd> {
  const [row] = await readRows<Omit<FeedEnd, 'readable'> & Partial<PositionRow>>(
    db,
    `select feed_epoch() as epoch,
            not exists (select from change where (tx, seq) >= ($1::xid8, $2::bigint)) as "isBeyondEnd",
            exists (select from change
                     where (tx, seq) > ($1::xid8, $2::bigint) and ${READABLE}) as "hasMore",
            readable.tx, readable.seq
       from (select) one
       left join lateral (
         select tx, seq from change
          where (tx, seq) <= ($1::xid8, $2::bigint) and ${READABLE}
          order by tx desc, seq desc limit 1) readable on true`,
    [String(tx), seq],
  );
  if (!row) throw new Error('the feed did not answer');
  const { epoch, isBeyondEnd, hasMore } = row;
  const readable = row.tx === undefined || row.seq === undefined ? undefined : { tx: BigInt(row.tx), seq: row.seq };
  return { epoch, isBeyondEnd, hasMore, readable };
}

export async function findReadablePosition(db: Queryable, upTo: Position): Promise<Position | undefined> {
  const { rows } = await db.query<PositionRow>(
    `select tx, seq
       from change
      where (tx, seq) <= ($1::xid8, $2::bigint) and ${READABLE}
      order by tx desc, seq desc limit 1`,
    [String(upTo.tx), upTo.seq],
  );
  return rows[0] && toPosition(rows[0]);
}

export async function findNewestChange(db: Queryable): Promise<Position | undefined> {
  const { rows } = await db.query<PositionRow>('select tx, seq from change order by tx desc, seq desc limit 1');
  return rows[0] && toPosition(rows[0]);
}
