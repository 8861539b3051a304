import type { Queryable } from '@ces/chassis/postgres/pool';

export type RunTrigger = 'schedule' | 'manual' | 'file' | 'operation';
export type RunState = 'running' | 'done' | 'drift' | 'failed' | 'stopped';

/** How often a run refused or left out something for one reason. */
export interface Reason {
  readonly field: string;
  readonly reason: string;
  count: number;
  readonly example: string;
}

export interface CountsRow {
  documents: number;
  requests: number;
  bytes: number;
  records: number;
  new_records: number;
  created: number;
  seen: number;
  amended: number;
  companies: number;
  closings: number;
  left_out: Reason[];
  refused: Reason[];
  drift_missing: string[];
  drift_new: string[];
}

export interface SourceRun {
  readonly id: bigint;
  readonly source: string;
  readonly trigger: RunTrigger;
  readonly state: RunState;
  readonly document: string;
  readonly failure: string;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
  readonly counts: Partial<CountsRow>;
}

export interface NewRun {
  readonly source: string;
  readonly trigger: RunTrigger;
  readonly document?: string;
  readonly operationId?: bigint;
}

export async function beginRun(db: Queryable, run: NewRun): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    'insert into source_run (source, trigger, document, operation_id) values ($1, $2, $3, $4) returning id',
    [run.source, run.trigger, run.document ?? '', run.operationId ?? null],
  );
  const [row] = rows;
  if (!row) throw new Error('a run was not begun');
  return row.id;
}

/** Does nothing if another process has ended the run. */
export async function noteProgress(db: Queryable, id: bigint, counts: CountsRow): Promise<void> {
  await db.query(`update source_run set counts = $2, heartbeat_at = now() where id = $1 and state = 'running'`, [
    id,
    JSON.stringify(counts),
  ]);
}

export async function endRun(
  db: Queryable,
  id: bigint,
  state: Exclude<RunState, 'running'>,
  failure: string,
  counts: CountsRow,
): Promise<void> {
  await db.query(
    `update source_run set state = $2, failure = $3, counts = $4, heartbeat_at = now(), ended_at = now()
     where id = $1 and state = 'running'`,
    [id, state, failure, JSON.stringify(counts)],
  );
}

/** Returns how many. A heartbeat from before the database clock was set back counts as now. */
export async function failLostRuns(db: Queryable, silentMs: number): Promise<number> {
  await db.query(
    `update source_run set heartbeat_at = now() where state = 'running' and heartbeat_at > now() + interval '1 second'`,
  );
  const { rowCount } = await db.query(
    `update source_run set state = 'failed', failure = 'its process ended', ended_at = now()
     where state = 'running' and heartbeat_at < now() - $1 * interval '1 millisecond'`,
    [silentMs],
  );
  return rowCount ?? 0;
}

export async function deleteOldSearchRuns(db: Queryable, olderThanMs: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from source_run
     where id in (select id from source_run where trigger = 'operation' order by id limit $2)
       and state <> 'running' and started_at < now() - $1 * interval '1 millisecond'`,
    [olderThanMs, limit],
  );
  return rowCount ?? 0;
}

export async function findRun(db: Queryable, id: bigint): Promise<SourceRun | undefined> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from source_run where id = $1`, [id]);
  return rows[0] && toRun(rows[0]);
}

export async function listRuns(db: Queryable, source: string | undefined, limit: number): Promise<SourceRun[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from source_run where $1::text is null or source = $1 order by id desc limit $2`,
    [source ?? null, limit],
  );
  return rows.map(toRun);
}

export async function newestRuns(db: Queryable, sources: readonly string[]): Promise<Map<string, SourceRun>> {
  const { rows } = await db.query<Row>(
    `select newest.*
     from unnest($1::text[]) as named (source)
     cross join lateral (
       select ${COLUMNS} from source_run run
       where run.source = named.source and trigger <> 'operation' order by id desc limit 1) newest`,
    [sources],
  );
  return new Map(rows.map((row) => [row.source, toRun(row)]));
}

const COLUMNS = 'id, source, trigger, state, document, failure, started_at, ended_at, counts';

interface Row {
  readonly id: bigint;
  readonly source: string;
  readonly trigger: RunTrigger;
  readonly state: RunState;
  readonly document: string;
  readonly failure: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly counts: Partial<CountsRow>;
}

function toRun(row: Row): SourceRun {
  const { started_at: startedAt, ended_at: endedAt, ...rest } = row;
  return { ...rest, startedAt, endedAt: endedAt ?? undefined };
}
