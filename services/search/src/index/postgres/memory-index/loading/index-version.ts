import { create } from '@bufbuild/protobuf';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';

export interface IndexVersion {
  readonly version: bigint;
  readonly vectors: bigint;
  /** Changes when versions may repeat: after a failover or a restore. */
  readonly origin: string;
  readonly position: ChangePosition | undefined;
  readonly keptFrom: string | undefined;
  /** The database's clock, in microseconds since 1970. */
  readonly now: number;
}

export interface ChangedDocuments {
  readonly observations: Iterable<string>;
  readonly companies: Iterable<string>;
}

interface VersionRow {
  readonly version: bigint;
  readonly vectors: bigint;
  readonly origin: string;
  readonly tx: bigint | null;
  readonly seq: bigint | null;
  readonly epoch: string | null;
  readonly kept_from: string | null;
  readonly now: number;
}

/** Documents are read by their ids up to this many. A load from the beginning uses less memory. */
const MOST_CHANGES = 200_000;

const READ = `
select index_version.version, vector_feed.version as vectors, concat_ws(' ', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
                          pg_relation_filenode('index_version')) as origin, feed.tx, feed.seq, feed.epoch, kept_from::text,
       (extract(epoch from now()) * 1000000)::float8 as now
  from index_version, vector_feed, feed, partitioning, pg_control_system()`;

/** One statement reads all values, so that they are of one moment. */
export async function readIndexVersion(db: Queryable): Promise<IndexVersion> {
  const { rows } = await db.query<VersionRow>({ name: 'read-index-version', text: READ });
  const [row] = rows;
  if (!row) throw new Error('the feed has lost its row');
  const { version, vectors, origin, tx, seq, epoch, kept_from, now } = row;
  return {
    version,
    vectors,
    origin,
    position: tx === null || seq === null ? undefined : create(ChangePositionSchema, { tx, seq, epoch: epoch ?? '' }),
    keptFrom: kept_from ?? undefined,
    now,
  };
}

/**
 * Returns undefined if the change log no longer covers all versions after `version`, or names too
 * many documents.
 */
export async function readChangedAfter(
  db: Queryable,
  version: bigint,
  newest: bigint,
): Promise<ChangedDocuments | undefined> {
  const { rows } = await db.query<{ versions: bigint; observations: string[]; companies: string[] }>(
    `with noted as (
       select observation_ids, company_ids from index_change where version > $1 and version <= $2
     ), few as (
       select * from noted
        where (select sum(cardinality(observation_ids) + cardinality(company_ids)) from noted) <= ${MOST_CHANGES}
     )
     select count(*) as versions, array(select distinct unnest(observation_ids) from few) as observations,
            array(select distinct unnest(company_ids) from few) as companies
       from few`,
    [version, newest],
  );
  const [row] = rows;
  if (row?.versions !== newest - version) return undefined;
  return { observations: row.observations, companies: row.companies };
}

/**
 * Returns the mark of a version, which another history does not share, and how many changes of
 * documents are noted after it. A version that is not noted has no mark.
 */
export async function readMark(
  db: Queryable,
  version: bigint,
): Promise<{ readonly mark: string | undefined; readonly changes: number }> {
  const { rows } = await db.query<{ mark: string | null; changes: number }>(
    `select (select mark::text from index_change where version = $1) as mark,
            coalesce(sum(cardinality(observation_ids) + cardinality(company_ids)), 0)::float8 as changes
       from index_change where version > $1`,
    [version],
  );
  return { mark: rows[0]?.mark ?? undefined, changes: rows[0]?.changes ?? 0 };
}
