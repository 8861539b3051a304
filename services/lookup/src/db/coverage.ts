import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';
import type { CountryName, KindName } from '@ces/proto/catalog';

export interface Coverage {
  readonly origin: string;
  readonly kind: KindName;
  readonly country: CountryName;
  readonly weekCount: number;
  readonly newestAt: Date | undefined;
  /** Seconds from the event to its record: the median and the 90th percentile. */
  readonly medianDelayS: number | undefined;
  readonly slowDelayS: number | undefined;
}

/** False if taken within `everyMs`. A time ahead of the clock is from before it was set back. */
export async function claimCoveragePass(db: Queryable, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update coverage_pass set taken_at = now()
      where taken_at <= now() - $1 * interval '1 millisecond' or taken_at > now() + interval '1 minute'`,
    [everyMs],
  );
  return rowCount === 1;
}

export async function takeCoverage(db: Queryable, most: number): Promise<void> {
  await db.query(
    `with week as (
       select origin, kind, country, occurred_at, recorded_at, occurred_at between now() - interval '7 days' and now() as is_of_week
         from observation where recorded_at > now() - interval '7 days' and withdrawn_at is null
        order by recorded_at desc limit $1),
     taken as (
       select origin, kind, country, count(*) filter (where is_of_week) as week_count, max(occurred_at) filter (where occurred_at <= now()) as newest_at,
              percentile_disc(array[0.5, 0.9]) within group (order by extract(epoch from recorded_at - occurred_at))
                filter (where is_of_week) as delays
         from week group by origin, kind, country),
     gone as (
       update coverage set week_count = 0, median_delay_s = null, slow_delay_s = null
        where week_count > 0 and (origin, kind, country) not in (select origin, kind, country from taken))
     insert into coverage as kept (origin, kind, country, week_count, newest_at, median_delay_s, slow_delay_s)
     select origin, kind, country, week_count, newest_at, delays[1], delays[2] from taken
     on conflict on constraint coverage_key do update
        set week_count = excluded.week_count, newest_at = greatest(kept.newest_at, excluded.newest_at),
            median_delay_s = excluded.median_delay_s, slow_delay_s = excluded.slow_delay_s`,
    [most],
  );
}

export async function listCoverage(db: Queryable): Promise<Coverage[]> {
  return await readRows<Coverage>(
    db,
    `select origin, kind, country, week_count::float8 as "weekCount", newest_at as "newestAt",
            median_delay_s as "medianDelayS", slow_delay_s as "slowDelayS"
       from coverage order by origin, kind, country`,
  );
}
