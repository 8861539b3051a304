create table account (
  id bigint generated always as identity primary key,
  name text not null constraint account_name_length check (char_length(name) between 1 and 200),
  test_mode boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint account_mode_key unique (id, test_mode)
);

create table plan (
  name text primary key,
  window_seconds bigint not null,
  window_request_units bigint not null,
  week_request_units bigint not null,
  period_request_units bigint not null,
  window_delivered_units bigint not null,
  week_delivered_units bigint not null,
  period_delivered_units bigint not null,
  page_limit integer not null,
  constraint plan_window_bounds check (window_seconds between 1 and 31622400),
  constraint plan_units_bounds check (
    least(window_request_units, week_request_units, period_request_units,
          window_delivered_units, week_delivered_units, period_delivered_units) >= 0
    and greatest(window_request_units, week_request_units, period_request_units,
                 window_delivered_units, week_delivered_units, period_delivered_units) <= 9007199254740991),
  constraint plan_page_limit_bounds check (page_limit between 1 and 1000)
);

insert into plan (name, window_seconds, window_request_units, week_request_units, period_request_units,
                  window_delivered_units, week_delivered_units, period_delivered_units, page_limit)
values ('builder', 18000, 60, 500, 1500, 600, 5000, 15000, 25),
       ('professional', 18000, 240, 2000, 6000, 2400, 20000, 60000, 50);

-- Counters stand beside the limits because one row lock guards both. A counter holds the units of all entries with
-- settled_at > its tail; tails move forward with time, and back when a window grows.
create table subscription (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  test_mode boolean not null,
  plan text not null constraint subscription_plan_fkey references plan,
  status text not null constraint subscription_status_known check (
    status in ('trialing', 'active', 'past_due', 'paused', 'canceled', 'unpaid', 'incomplete')),
  own_window_seconds bigint,
  own_window_request_units bigint,
  own_week_request_units bigint,
  own_period_request_units bigint,
  own_window_delivered_units bigint,
  own_week_delivered_units bigint,
  own_period_delivered_units bigint,
  own_page_limit integer,
  limits_changed_at timestamptz not null default clock_timestamp(),
  period_anchor timestamptz not null default date_trunc('second', clock_timestamp()),
  created_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  held_request_units bigint not null default 0,
  held_delivered_units bigint not null default 0,
  window_tail_at timestamptz not null default clock_timestamp(),
  window_request_units bigint not null default 0,
  window_delivered_units bigint not null default 0,
  window_fresh_evidence_units bigint not null default 0,
  week_tail_at timestamptz not null default clock_timestamp(),
  week_request_units bigint not null default 0,
  week_delivered_units bigint not null default 0,
  week_fresh_evidence_units bigint not null default 0,
  period_tail_at timestamptz not null default clock_timestamp(),
  period_request_units bigint not null default 0,
  period_delivered_units bigint not null default 0,
  period_fresh_evidence_units bigint not null default 0,
  constraint subscription_account_key unique (account_id),
  constraint subscription_account_fkey foreign key (account_id, test_mode) references account (id, test_mode),
  constraint subscription_test_mode_numbers check (not test_mode or (
    plan = 'builder' and num_nonnulls(
      own_window_seconds, own_window_request_units, own_week_request_units, own_period_request_units,
      own_window_delivered_units, own_week_delivered_units, own_period_delivered_units, own_page_limit) = 0)),
  constraint subscription_own_window_bounds check (own_window_seconds between 1 and 31622400),
  constraint subscription_own_units_bounds check (
    least(own_window_request_units, own_week_request_units, own_period_request_units,
          own_window_delivered_units, own_week_delivered_units, own_period_delivered_units) >= 0
    and greatest(own_window_request_units, own_week_request_units, own_period_request_units,
                 own_window_delivered_units, own_week_delivered_units, own_period_delivered_units) <= 9007199254740991),
  constraint subscription_own_page_limit_bounds check (own_page_limit between 1 and 1000),
  constraint subscription_counters_positive check (
    least(held_request_units, held_delivered_units,
          window_request_units, window_delivered_units, window_fresh_evidence_units,
          week_request_units, week_delivered_units, week_fresh_evidence_units,
          period_request_units, period_delivered_units, period_fresh_evidence_units) >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);

create table credential (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  test_mode boolean not null,
  label text not null constraint credential_label_length check (char_length(label) <= 200),
  prefix text not null,
  pepper text not null,
  digest bytea not null constraint credential_digest_length check (octet_length(digest) = 32),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint credential_digest_key unique (digest),
  constraint credential_account_fkey foreign key (account_id, test_mode) references account (id, test_mode),
  constraint credential_prefix_mode check (
    prefix ~ case when test_mode then '^ces_test_[0-9A-Za-z]{4}$' else '^ces_live_[0-9A-Za-z]{4}$' end)
);
create index credential_account_idx on credential (account_id);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null,
  subject_id text not null,
  detail jsonb not null
);

grant select on migration to ledger;
grant select, insert on account to ledger;
grant select, update on plan to ledger;
grant select, insert, update on subscription to ledger;
grant select, insert, update (revoked_at, last_used_at) on credential to ledger;
grant insert on audit to ledger;
