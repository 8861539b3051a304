import type { Queryable } from '@ces/chassis/postgres/pool';
import { type LimitRow, type Limits, limitValues, toLimits } from './limits.ts';

export interface Subscription {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly plan: string;
  readonly status: string;
  readonly ownLimits: Limits;
  readonly effectiveLimits: Limits;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
}

export interface NewSubscription {
  readonly accountId: bigint;
  readonly plan: string;
  readonly status: string;
  readonly ownLimits: Limits;
}

/**
 * Undefined without the account. Violates `subscription_account_key` for a second one,
 * `subscription_test_mode_numbers` for a test account with other numbers than builder's.
 */
export async function insertSubscription(db: Queryable, subscription: NewSubscription): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>(
    `insert into subscription (account_id, test_mode, plan, status, own_window_seconds, own_window_request_units,
                               own_week_request_units, own_period_request_units, own_window_delivered_units,
                               own_week_delivered_units, own_period_delivered_units, own_page_limit)
     select id, test_mode, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
     from account
     where id = $1
     returning id`,
    [subscription.accountId, subscription.plan, subscription.status, ...limitValues(subscription.ownLimits)],
  );
  return rows[0]?.id;
}

export interface SubscriptionChange {
  readonly plan: string | undefined;
  readonly status: string | undefined;
  readonly ownLimits: Limits;
  readonly replaceLimits: boolean;
}

/** `limits_changed_at` is later than every posting that the old numbers admitted. */
export async function updateSubscription(db: Queryable, id: bigint, change: SubscriptionChange): Promise<boolean> {
  const { rowCount } = await db.query(
    `update subscription
     set plan = coalesce($2, plan),
         status = coalesce($3, status),
         last_at = greatest(clock_timestamp(), last_at + interval '1 microsecond'),
         limits_changed_at = greatest(clock_timestamp(), last_at + interval '1 microsecond'),
         own_window_seconds = coalesce($5, case when not $4 then own_window_seconds end),
         own_window_request_units = coalesce($6, case when not $4 then own_window_request_units end),
         own_week_request_units = coalesce($7, case when not $4 then own_week_request_units end),
         own_period_request_units = coalesce($8, case when not $4 then own_period_request_units end),
         own_window_delivered_units = coalesce($9, case when not $4 then own_window_delivered_units end),
         own_week_delivered_units = coalesce($10, case when not $4 then own_week_delivered_units end),
         own_period_delivered_units = coalesce($11, case when not $4 then own_period_delivered_units end),
         own_page_limit = coalesce($12, case when not $4 then own_page_limit end)
     where id = $1`,
    [id, change.plan ?? null, change.status ?? null, change.replaceLimits, ...limitValues(change.ownLimits)],
  );
  return rowCount === 1;
}

/**
 * Row locks put it between two postings. In the order of ids: two changes would otherwise deadlock.
 */
export async function recordLimitsChanged(db: Queryable, plan: string): Promise<void> {
  await db.query(
    `with mine as (select id from subscription where plan = $1 order by id for no key update)
     update subscription
     set last_at = greatest(clock_timestamp(), last_at + interval '1 microsecond'),
         limits_changed_at = greatest(clock_timestamp(), last_at + interval '1 microsecond')
     from mine
     where subscription.id = mine.id`,
    [plan],
  );
}

export async function renewHistories(db: Queryable): Promise<void> {
  await db.query('select count(*) from (select from subscription order by id for no key update) locked');
  await db.query('update subscription set history_version = history_version + 1');
}

export async function findSubscription(db: Queryable, id: bigint): Promise<Subscription | undefined> {
  const { rows } = await db.query<SubscriptionRow>(`${SELECT} where s.id = $1`, [id]);
  return rows[0] && toSubscription(rows[0]);
}

export async function listSubscriptionsOf(
  db: Queryable,
  accountIds: readonly bigint[],
): Promise<readonly Subscription[]> {
  const { rows } = await db.query<SubscriptionRow>(`${SELECT} where s.account_id = any($1::bigint[])`, [accountIds]);
  return rows.map(toSubscription);
}

const SELECT = `
  select s.id, s.account_id, s.plan, s.status, s.own_window_seconds, s.own_window_request_units,
         s.own_week_request_units, s.own_period_request_units, s.own_window_delivered_units,
         s.own_week_delivered_units, s.own_period_delivered_units, s.own_page_limit,
         l.window_seconds, l.window_request_units, l.week_request_units, l.period_request_units,
         l.window_delivered_units, l.week_delivered_units, l.period_delivered_units, l.page_limit,
         period_start(s.period_anchor, n.now) as period_start, period_end(s.period_anchor, n.now) as period_end
  from subscription s
  join subscription_limit l on l.subscription_id = s.id
  cross join lateral (select greatest(clock_timestamp(), s.last_at) as now) n`;

type SubscriptionRow = LimitRow &
  LimitRow<'own_'> & {
    id: bigint;
    account_id: bigint;
    plan: string;
    status: string;
    period_start: Date;
    period_end: Date;
  };

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    accountId: row.account_id,
    plan: row.plan,
    status: row.status,
    ownLimits: toLimits(row, 'own_'),
    effectiveLimits: toLimits(row, ''),
    currentPeriodStart: row.period_start,
    currentPeriodEnd: row.period_end,
  };
}
