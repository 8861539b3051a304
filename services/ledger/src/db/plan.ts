import type { Queryable } from '@ces/chassis/postgres/pool';
import { type LimitRow, type Limits, limitValues, toLimits } from './limits.ts';

export interface Plan {
  readonly name: string;
  readonly limits: Limits;
}

export async function listPlans(db: Queryable): Promise<readonly Plan[]> {
  const { rows } = await db.query<PlanRow>(
    `select name, window_seconds, window_request_units, week_request_units, period_request_units,
            window_delivered_units, week_delivered_units, period_delivered_units, page_limit
     from plan
     order by name`,
  );
  return rows.map((row) => ({ name: row.name, limits: toLimits(row, '') }));
}

export async function updatePlan(db: Queryable, name: string, limits: Limits): Promise<Limits> {
  const { rows } = await db.query<PlanRow>(
    `update plan
     set window_seconds = coalesce($2, window_seconds),
         window_request_units = coalesce($3, window_request_units),
         week_request_units = coalesce($4, week_request_units),
         period_request_units = coalesce($5, period_request_units),
         window_delivered_units = coalesce($6, window_delivered_units),
         week_delivered_units = coalesce($7, week_delivered_units),
         period_delivered_units = coalesce($8, period_delivered_units),
         page_limit = coalesce($9, page_limit)
     where name = $1
     returning name, window_seconds, window_request_units, week_request_units, period_request_units,
               window_delivered_units, week_delivered_units, period_delivered_units, page_limit`,
    [name, ...limitValues(limits)],
  );
  return toLimits(rows[0] as PlanRow, '');
}

type PlanRow = LimitRow & { name: string };
