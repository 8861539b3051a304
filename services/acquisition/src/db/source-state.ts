import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Source } from '../connector/source.ts';

export interface SourceState {
  readonly source: string;
  /** Undefined: the default of the connector applies. */
  readonly enabled: boolean | undefined;
  readonly reason: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly watermark: string | undefined;
  readonly nextRunAt: Date | undefined;
  readonly freshAt: Date | undefined;
  readonly driftAt: Date | undefined;
  readonly driftMissing: readonly string[];
  readonly knownFields: readonly string[];
}

function defaultSourceState(source: string): SourceState {
  return {
    source,
    enabled: undefined,
    reason: '',
    settings: {},
    watermark: undefined,
    nextRunAt: undefined,
    freshAt: undefined,
    driftAt: undefined,
    driftMissing: [],
    knownFields: [],
  };
}

export async function readState(db: Queryable, source: string): Promise<SourceState> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from source_state where source = $1`, [source]);
  return rows[0] ? toState(rows[0]) : defaultSourceState(source);
}

export async function readStates(db: Queryable): Promise<(source: string) => SourceState> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from source_state`);
  const states = new Map(rows.map((row) => [row.source, toState(row)]));
  return (source) => states.get(source) ?? defaultSourceState(source);
}

export async function setEnabled(db: Queryable, source: string, enabled: boolean, reason: string): Promise<void> {
  await db.query(
    `insert into source_state (source, enabled, reason) values ($1, $2, $3)
     on conflict on constraint source_state_key do update set enabled = excluded.enabled, reason = excluded.reason`,
    [source, enabled, reason],
  );
}

export async function changeSettings(
  db: Queryable,
  source: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const gone = Object.keys(settings).filter((name) => settings[name] === '');
  await db.query(
    `insert into source_state (source, settings) values ($1, $2::jsonb - $3::text[])
     on conflict on constraint source_state_key
       do update set settings = (source_state.settings || $2::jsonb) - $3::text[]`,
    [source, JSON.stringify(settings), gone],
  );
}

/** An empty `missing` means no drift. `isWhole`: the source is now fresh. */
export async function recordSourceRead(
  db: Queryable,
  source: string,
  read: {
    readonly at: Date;
    readonly isWhole: boolean;
    readonly watermark: string | undefined;
    readonly missing: readonly string[];
    readonly fields: readonly string[];
  },
): Promise<void> {
  await db.query(
    `insert into source_state as kept (source, watermark, fresh_at, drift_at, drift_missing, known_fields)
     values ($1, $2, case when $4 = '{}'::text[] and $6 then $3::timestamptz end,
       case when $4 <> '{}'::text[] then $3::timestamptz end, $4, $5)
     on conflict on constraint source_state_key do update set
       watermark = coalesce(excluded.watermark, kept.watermark),
       fresh_at = coalesce(excluded.fresh_at, kept.fresh_at),
       drift_at = excluded.drift_at,
       drift_missing = excluded.drift_missing,
       known_fields = case when $4 = '{}'::text[] and $5 <> '{}'::text[] then $5 else kept.known_fields end`,
    [source, read.watermark ?? null, read.at, read.missing, read.fields, read.isWhole],
  );
}

/** Sets the next run. False if it is not due or already claimed. */
export async function claimScheduledRun(db: Queryable, source: string, nextRunAt: Date, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into source_state as kept (source, next_run_at) values ($1, $2)
     on conflict on constraint source_state_key do update set next_run_at = excluded.next_run_at
       where kept.next_run_at is null or kept.next_run_at <= $3`,
    [source, nextRunAt, now],
  );
  return rowCount === 1;
}

const COLUMNS =
  'source, enabled, reason, settings, watermark, next_run_at, fresh_at, drift_at, drift_missing, known_fields';

interface Row {
  readonly source: string;
  readonly enabled: boolean | null;
  readonly reason: string;
  readonly settings: Record<string, string>;
  readonly watermark: string | null;
  readonly next_run_at: Date | null;
  readonly fresh_at: Date | null;
  readonly drift_at: Date | null;
  readonly drift_missing: string[];
  readonly known_fields: string[];
}

function toState(row: Row): SourceState {
  return {
    source: row.source,
    enabled: row.enabled ?? undefined,
    reason: row.reason,
    settings: row.settings,
    watermark: row.watermark ?? undefined,
    nextRunAt: row.next_run_at ?? undefined,
    freshAt: row.fresh_at ?? undefined,
    driftAt: row.drift_at ?? undefined,
    driftMissing: row.drift_missing,
    knownFields: row.known_fields,
  };
}

export type SourceSecrets = ReadonlyMap<string, string>;

export function isEnabled(source: Source, state: SourceState): boolean {
  return state.enabled ?? source.verified;
}

export function settingsOf(
  source: Source,
  state: SourceState,
  secrets: SourceSecrets,
): { readonly values: ReadonlyMap<string, string>; readonly missing: readonly string[] } {
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (const setting of source.settings ?? []) {
    const value = setting.secret ? secrets.get(`${source.name}.${setting.name}`) : state.settings[setting.name];
    if (value) values.set(setting.name, value);
    else if (setting.required) missing.push(setting.name);
  }
  return { values, missing };
}
