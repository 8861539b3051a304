-- One row an operation, whatever became of it; 'refused' is the tombstone that keeps a late call from taking units.
create table hold (
  operation_id bigint primary key constraint hold_operation_positive check (operation_id > 0),
  subscription_id bigint constraint hold_subscription_fkey references subscription,
  state text not null constraint hold_state_known check (state in ('held', 'posted', 'void', 'refused')),
  request_units bigint not null,
  delivered_units bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  refusal_code text constraint hold_refusal_code_known check (
    refusal_code in ('request_limit_reached', 'invalid_api_key', 'subscription_required', 'usage_expired')),
  refusal_message text,
  retry_at timestamptz,
  retry_after_seconds bigint,
  admissible_delivered_units bigint,
  constraint hold_units_positive check (least(request_units, delivered_units) >= 0),
  constraint hold_subscription_named check (subscription_id is not null or state = 'refused'),
  constraint hold_refusal_complete check (
    case state when 'refused' then num_nulls(refusal_code, refusal_message, admissible_delivered_units) = 0
    else num_nonnulls(refusal_code, refusal_message, retry_at, retry_after_seconds, admissible_delivered_units) = 0 end)
) with (fillfactor = 85);
create index hold_held_idx on hold (created_at) where state = 'held';
create index hold_subscription_idx on hold (subscription_id);

create table entry (
  operation_id bigint primary key constraint entry_hold_fkey references hold,
  subscription_id bigint not null constraint entry_subscription_fkey references subscription,
  settled_at timestamptz not null,
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  constraint entry_instant_key unique (subscription_id, settled_at)
    include (request_units, delivered_units, fresh_evidence_units),
  constraint entry_units_positive check (least(request_units, delivered_units, fresh_evidence_units) >= 0)
);

-- Months are counted from the anchor in UTC, so that the 31st comes back after a shorter month.
create function period_boundary(anchor timestamptz, months integer) returns timestamptz
language sql immutable parallel safe
return (anchor at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC';

create function period_number(anchor timestamptz, instant timestamptz) returns integer
language sql immutable parallel safe
begin atomic
  select m.months - case when period_boundary(anchor, m.months) > instant then 1 else 0 end
  from (
    select (12 * (extract(year from i.utc) - extract(year from a.utc))
            + extract(month from i.utc) - extract(month from a.utc))::integer as months
    from (select anchor at time zone 'UTC' as utc) a, (select instant at time zone 'UTC' as utc) i
  ) m;
end;

create function period_start(anchor timestamptz, instant timestamptz) returns timestamptz
language sql immutable parallel safe
return period_boundary(anchor, period_number(anchor, instant));

create function period_end(anchor timestamptz, instant timestamptz) returns timestamptz
language sql immutable parallel safe
return period_boundary(anchor, period_number(anchor, instant) + 1);

-- The numbers in force: a subscription's own ones, else its plan's.
create view subscription_limit as
select s.id as subscription_id,
       coalesce(s.own_window_seconds, p.window_seconds) as window_seconds,
       coalesce(s.own_window_request_units, p.window_request_units) as window_request_units,
       coalesce(s.own_week_request_units, p.week_request_units) as week_request_units,
       coalesce(s.own_period_request_units, p.period_request_units) as period_request_units,
       coalesce(s.own_window_delivered_units, p.window_delivered_units) as window_delivered_units,
       coalesce(s.own_week_delivered_units, p.week_delivered_units) as week_delivered_units,
       coalesce(s.own_period_delivered_units, p.period_delivered_units) as period_delivered_units,
       coalesce(s.own_page_limit, p.page_limit) as page_limit
from subscription s
join plan p on p.name = s.plan;

-- Three rows a subscription: limits and counters of window, week and period. A day is 86,400 s whatever the time zone.
create view subscription_horizon as
select s.id as subscription_id, h.*
from subscription s
join subscription_limit l on l.subscription_id = s.id
cross join lateral (values
  ('window', l.window_seconds, s.window_tail_at, l.window_request_units, l.window_delivered_units,
   s.window_request_units, s.window_delivered_units, s.window_fresh_evidence_units),
  ('week', 604800, s.week_tail_at, l.week_request_units, l.week_delivered_units,
   s.week_request_units, s.week_delivered_units, s.week_fresh_evidence_units),
  ('period', null, s.period_tail_at, l.period_request_units, l.period_delivered_units,
   s.period_request_units, s.period_delivered_units, s.period_fresh_evidence_units)
) as h (name, seconds, tail_at, request_limit, delivered_limit, request_units, delivered_units, fresh_evidence_units);

grant select on subscription_limit, subscription_horizon to ledger;
grant select, insert, update (state) on hold to ledger;
grant select, insert on entry to ledger;
