import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Units } from '../allowance/units.ts';
import { type Micros, secondsOf, toMicros, toText } from './instant.ts';
import { toUnits, type UnitsRow } from './units.ts';

export type RollingInterval = 'window' | 'week';

export interface CountedEntry {
  readonly settledAt: Micros;
  readonly units: Units;
}

/** The entry that leaves first comes first. */
export type NextEntries = Readonly<Record<RollingInterval, readonly CountedEntry[]>>;

const READ_AT_ONCE = 64;

/**
 * Returns entries without gaps; undefined after a reversal, when entries do not determine the
 * balance.
 */
export async function readNextEntries(
  db: Queryable,
  subscriptionId: bigint,
  tails: Readonly<Record<RollingInterval, Micros>>,
  oldestTail: Micros,
): Promise<NextEntries | undefined> {
  const { rows } = await db.query<Row>({
    name: 'read-next-entries',
    text: READ,
    values: [subscriptionId, toText(tails.window), toText(tails.week), toText(oldestTail)],
  });
  if (rows.some(({ name }) => name === 'reversed')) return undefined;
  const of = (interval: RollingInterval) => rows.filter(({ name }) => name === interval).map(toEntry);
  return { window: of('window'), week: of('week') };
}

const READ = `
  ${entriesAfter('window', '$2')} union all ${entriesAfter('week', '$3')}
  union all
  select 'reversed', null, null, null, null
  where exists (select from reversal where subscription_id = $1 and settled_at > $4::timestamptz)`;

function entriesAfter(name: RollingInterval, tail: string): string {
  return `
  (select '${name}' as name, ${secondsOf('settled_at')} as settled_at, request_units, delivered_units, fresh_evidence_units
   from entry
   where subscription_id = $1 and settled_at > ${tail}::timestamptz
   order by entry.settled_at
   limit ${READ_AT_ONCE})`;
}

interface Row extends UnitsRow {
  name: RollingInterval | 'reversed';
  settled_at: number;
}

function toEntry(row: Row): CountedEntry {
  return { settledAt: toMicros(row.settled_at), units: toUnits(row, '') };
}
