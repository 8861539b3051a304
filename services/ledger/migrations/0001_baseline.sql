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

-- Counters are in this row so that one row lock guards them and the limits. A counter sums the
-- entries with settled_at > its tail. The status check is one constant because Postgres parses
-- checks for every statement.
create table subscription (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  test_mode boolean not null,
  plan text not null constraint subscription_plan_fkey references plan,
  status text not null constraint subscription_status_known check (
    status = any ('{trialing,active,past_due,paused,canceled,unpaid,incomplete}'::text[])),
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
  -- Caches of entries are valid while this is unchanged; appending entries leaves it (decision
  -- 0007).
  history_version bigint not null default 0,
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

-- During a pepper rotation moved_* hold the newer digest, and `digest` serves processes with older
-- settings.
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
  expires_at timestamptz,
  scopes text[] not null default '{search,lookup,usage}',
  moved_pepper text,
  moved_digest bytea,
  constraint credential_digest_key unique (digest),
  constraint credential_account_fkey foreign key (account_id, test_mode) references account (id, test_mode),
  constraint credential_prefix_mode check (
    prefix ~ case when test_mode then '^ces_test_[0-9A-Za-z]{4}$' else '^ces_live_[0-9A-Za-z]{4}$' end),
  constraint credential_expires_later check (expires_at > created_at),
  constraint credential_scopes_known check (scopes <@ array['search', 'lookup', 'usage'] and cardinality(scopes) between 1 and 3),
  constraint credential_moved_whole check (
    (moved_pepper is null) = (moved_digest is null) and octet_length(moved_digest) = 32 and moved_pepper <> pepper)
);
create index credential_account_idx on credential (account_id);
create unique index credential_moved_digest_key on credential (moved_digest);

-- Rows of operators have a role and a reason; rows of programs have neither.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null,
  subject_id text not null,
  detail jsonb not null,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  reason text constraint audit_reason_length check (char_length(reason) <= 500)
);

grant select on migration to ledger;
grant select, insert on account to ledger;
grant select, update on plan to ledger;
grant select, insert, update on subscription to ledger;
grant select, insert, update (revoked_at, last_used_at, pepper, digest, moved_pepper, moved_digest) on credential to ledger;
grant select, insert on audit to ledger;

-- Counted from the anchor in UTC, so that the 31st returns after a shorter month.
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

-- A day has 86,400 s in every time zone.
create view subscription_interval as
select s.id as subscription_id, i.*
from subscription s
join subscription_limit l on l.subscription_id = s.id
cross join lateral (values
  ('window', l.window_seconds, s.window_tail_at, l.window_request_units, l.window_delivered_units,
   s.window_request_units, s.window_delivered_units, s.window_fresh_evidence_units),
  ('week', 604800, s.week_tail_at, l.week_request_units, l.week_delivered_units,
   s.week_request_units, s.week_delivered_units, s.week_fresh_evidence_units),
  ('period', null, s.period_tail_at, l.period_request_units, l.period_delivered_units,
   s.period_request_units, s.period_delivered_units, s.period_fresh_evidence_units)
) as i (name, seconds, tail_at, request_limit, delivered_limit, request_units, delivered_units, fresh_evidence_units);

grant select on subscription_limit, subscription_interval to ledger;

-- migrate: include list-partitions.sql

-- A 'refused' row is a tombstone: a late call must not take units. A restored database may reuse an
-- operation_id, never an operation_identity. Partitioned by operation (decision 0008).
create table hold (
  operation_id bigint constraint hold_operation_positive check (operation_id > 0),
  subscription_id bigint constraint hold_subscription_fkey references subscription,
  state text not null constraint hold_state_known check (state = any ('{held,posted,void,refused}'::text[])),
  request_units bigint not null,
  delivered_units bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  refusal_code text constraint hold_refusal_code_known check (
    refusal_code = any ('{request_limit_reached,invalid_api_key,subscription_required,usage_expired}'::text[])),
  refusal_message text,
  retry_at timestamptz,
  retry_after_seconds bigint,
  admissible_delivered_units bigint,
  operation_identity uuid not null,
  constraint hold_key primary key (operation_id),
  constraint hold_units_positive check (least(request_units, delivered_units) >= 0),
  constraint hold_subscription_named check (subscription_id is not null or state = 'refused'),
  constraint hold_refusal_complete check (
    case state when 'refused' then num_nulls(refusal_code, refusal_message, admissible_delivered_units) = 0
    else num_nonnulls(refusal_code, refusal_message, retry_at, retry_after_seconds, admissible_delivered_units) = 0 end)
) partition by range (operation_id);
create index hold_subscription_created_idx on hold (subscription_id, created_at);

-- Append-only. Partitioned by month.
create table entry (
  operation_id bigint not null,
  subscription_id bigint not null constraint entry_subscription_fkey references subscription,
  settled_at timestamptz not null,
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  constraint entry_key unique (subscription_id, settled_at)
    include (request_units, delivered_units, fresh_evidence_units),
  constraint entry_units_positive check (least(request_units, delivered_units, fresh_evidence_units) >= 0)
) partition by range (settled_at);

-- Catches rows that come before their partition exists; they move when it is created.
create table hold_default partition of hold default with (fillfactor = 85);
create table entry_default partition of entry default;
create unique index entry_default_operation_idx on entry_default (operation_id);

-- A row has negative units and the instant of its entry, so that both leave an interval together
-- and no sum falls below zero. Subscription counters exclude reversals; readers subtract them.
create table reversal (
  operation_id bigint primary key,
  subscription_id bigint not null constraint reversal_subscription_fkey references subscription,
  settled_at timestamptz not null,
  reversed_at timestamptz not null default clock_timestamp(),
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  caller text not null,
  reason text not null constraint reversal_reason_length check (char_length(reason) between 1 and 200),
  constraint reversal_units_negative check (greatest(request_units, delivered_units, fresh_evidence_units) <= 0)
);
create index reversal_instant_idx on reversal (subscription_id, settled_at)
  include (request_units, delivered_units, fresh_evidence_units);

-- Settings may change later; this is what was really deleted.
create table pruning (
  only_row boolean primary key default true constraint pruning_single check (only_row),
  pruned_before timestamptz not null default '-infinity'
);
insert into pruning default values;

grant select, insert, update (state) on hold to ledger;
grant select, insert on entry, reversal to ledger;
grant select, update (pruned_before) on pruning to ledger;

-- A foreign key would scan all entries when old holds are dropped.
create function entry_has_hold() returns trigger
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform from hold h where h.operation_id = new.operation_id;
  if not found then
    raise exception 'operation % has no hold', new.operation_id
      using errcode = 'foreign_key_violation', constraint = 'entry_hold_fkey', table = 'entry';
  end if;
  return new;
end $$;
create trigger entry_has_hold before insert on entry
  for each row execute function entry_has_hold();

-- A table of its own, so that no index of `hold` contains `state` and ending a hold is a HOT
-- update.
create table open_hold (
  operation_id bigint primary key,
  subscription_id bigint not null,
  request_units bigint not null,
  delivered_units bigint not null,
  created_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index open_hold_created_idx on open_hold (created_at);
create index open_hold_subscription_idx on open_hold (subscription_id) include (request_units, delivered_units);
grant select on open_hold to ledger;

create function copy_open_hold() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state = 'held' then
    delete from public.open_hold where operation_id = old.operation_id;
  end if;
  if new.state = 'held' then
    insert into public.open_hold (operation_id, subscription_id, request_units, delivered_units, created_at)
    values (new.operation_id, new.subscription_id, new.request_units, new.delivered_units, new.created_at);
  end if;
  return null;
end $$;
create trigger hold_opened after insert on hold
  for each row when (new.state = 'held') execute function copy_open_hold();
create trigger hold_changed after update on hold
  for each row when (new.state = 'held' or old.state = 'held') execute function copy_open_hold();
create trigger hold_deleted after delete on hold
  for each row when (old.state = 'held') execute function copy_open_hold();

-- Finds old refusals without opening the partitions of `hold`.
create table refusal (
  operation_id bigint primary key,
  created_at timestamptz not null
);
create index refusal_created_idx on refusal (created_at);

create function refusal_stored() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.refusal (operation_id, created_at) values (new.operation_id, new.created_at)
  on conflict (operation_id) do update set created_at = excluded.created_at;
  return null;
end $$;
create trigger hold_refused after insert on hold
  for each row when (new.refusal_code is not null) execute function refusal_stored();

-- Refusals up to operation_id may be gone. Operation ids grow with time, so an operation at or
-- below it is too old to take units.
create table deleted_refusal (
  only_row boolean primary key default true constraint deleted_refusal_single check (only_row),
  operation_id bigint not null,
  raised_at timestamptz not null default clock_timestamp(),
  -- The previous operation_id: no running posting can have read a lower one.
  deleted_to bigint not null default 0
);
grant select on deleted_refusal to ledger;

-- A refusal lives for an hour. The number is raised first; rows are deleted five minutes later,
-- when every posting that read the lower number has ended.
create function delete_old_refusals(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  ids bigint[];
  lowest bigint;
  highest bigint;
  reached bigint;
  deletable bigint;
begin
  if older_than > clock_timestamp() - interval '1 hour' then
    raise exception 'refusals are kept for an hour at least' using errcode = 'check_violation';
  end if;
  if not exists (select from public.deleted_refusal where raised_at > clock_timestamp() - interval '5 minutes') then
    select max(operation_id) into reached from public.refusal where created_at < older_than;
    insert into public.deleted_refusal as known (operation_id) select reached where reached is not null
    on conflict (only_row) do update
      set deleted_to = known.operation_id, operation_id = greatest(known.operation_id, excluded.operation_id), raised_at = clock_timestamp();
  end if;
  select deleted_to into deletable from public.deleted_refusal;
  select array_agg(operation_id), min(operation_id), max(operation_id) into ids, lowest, highest
  from (
    select operation_id from public.refusal
    where created_at < older_than and operation_id <= deletable order by created_at limit max_rows) old;
  if ids is null then
    return 0;
  end if;
  delete from public.hold
  where operation_id = any(ids) and operation_id between lowest and highest and refusal_code is not null and created_at < older_than;
  delete from public.refusal where operation_id = any(ids);
  return cardinality(ids);
end $$;

-- Running totals, one row per 256 entries: an interval costs two rows and the entries at its ends.
-- Rows stay valid because settled_at grows with the commits of a subscription.
create table entry_total (
  subscription_id bigint not null,
  settled_at timestamptz not null,
  entries bigint not null,
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  primary key (subscription_id, settled_at)
);

create function units_between(
  subscription bigint, low timestamptz, high timestamptz,
  out request_units bigint, out delivered_units bigint, out fresh_evidence_units bigint)
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  opening entry_total;
  closing entry_total;
  rest record;
begin
  select * into opening
  from entry_total t
  where t.subscription_id = subscription and t.settled_at > low and t.settled_at <= high
  order by t.settled_at limit 1;
  select coalesce(sum(e.request_units), 0), coalesce(sum(e.delivered_units), 0), coalesce(sum(e.fresh_evidence_units), 0)
  into request_units, delivered_units, fresh_evidence_units
  from entry e
  where e.subscription_id = subscription and e.settled_at > low and e.settled_at <= coalesce(opening.settled_at, high);
  if opening.settled_at is null then return; end if;
  select * into closing
  from entry_total t
  where t.subscription_id = subscription and t.settled_at >= opening.settled_at and t.settled_at <= high
  order by t.settled_at desc limit 1;
  select coalesce(sum(e.request_units), 0) as request_units, coalesce(sum(e.delivered_units), 0) as delivered_units,
         coalesce(sum(e.fresh_evidence_units), 0) as fresh_evidence_units
  into rest
  from entry e
  where e.subscription_id = subscription and e.settled_at > closing.settled_at and e.settled_at <= high;
  request_units := request_units + closing.request_units - opening.request_units + rest.request_units;
  delivered_units := delivered_units + closing.delivered_units - opening.delivered_units + rest.delivered_units;
  fresh_evidence_units := fresh_evidence_units + closing.fresh_evidence_units - opening.fresh_evidence_units
    + rest.fresh_evidence_units;
end $$;

-- Compared are holds up to holds_at, except the open ones.
create table subscription_check (
  subscription_id bigint primary key,
  checked_at timestamptz not null,
  holds_at timestamptz not null,
  open_operation_ids bigint[] not null,
  -- Digest of the row whose counters were right: an unchanged row is not summed again.
  row_digest bigint,
  highest_operation_id bigint not null default 0,
  -- May be later than the last total, by up to 255 entries.
  entries_at timestamptz
) with (fillfactor = 70);

-- Read in every pass until the difference is gone.
create table suspect_range (
  subscription_id bigint not null,
  after_at timestamptz not null,
  until_at timestamptz not null,
  primary key (subscription_id, after_at)
);

create table drift_check (
  only_row boolean primary key default true constraint drift_check_single check (only_row),
  completed_at timestamptz not null default clock_timestamp(),
  differences bigint,
  scrub_subscription_id bigint not null default 0,
  scrub_at timestamptz not null default '-infinity'
);
insert into drift_check default values;

grant select, insert on entry_total to ledger;
grant select, insert, update on subscription_check to ledger;
grant select, insert, update, delete on suspect_range to ledger;
grant select, update on drift_check to ledger;

-- Every change except an appended entry raises history_version (decision 0007) and deletes the later
-- totals, which are then recomputed. Pruned entries are outside every interval.
create function history_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('ledger.retiring', true) = 'on' then return null; end if;
  update public.subscription s set history_version = s.history_version + 1
  where s.id in (select subscription_id from changed);
  if tg_table_name = 'entry' then
    delete from public.entry_total t
    using (select subscription_id, min(settled_at) as settled_at from changed group by subscription_id) g
    where t.subscription_id = g.subscription_id and t.settled_at >= g.settled_at;
    delete from public.subscription_check c using changed where c.subscription_id = changed.subscription_id;
  end if;
  return null;
end $$;
create trigger entry_moved_from after update on entry referencing old table as changed
  for each statement execute function history_changed();
create trigger entry_moved_to after update on entry referencing new table as changed
  for each statement execute function history_changed();
create trigger entry_deleted after delete on entry referencing old table as changed
  for each statement execute function history_changed();
create trigger reversal_added after insert on reversal referencing new table as changed
  for each statement execute function history_changed();
create trigger reversal_moved_from after update on reversal referencing old table as changed
  for each statement execute function history_changed();
create trigger reversal_moved_to after update on reversal referencing new table as changed
  for each statement execute function history_changed();
create trigger reversal_deleted after delete on reversal referencing old table as changed
  for each statement execute function history_changed();

-- Functions with a generic plan: partitions are pruned at run time, without planning each call.
create function oldest_request(subscription bigint, tail timestamptz) returns timestamptz
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select e.settled_at
    from entry e
    where e.subscription_id = subscription and e.settled_at > tail and e.request_units > 0
      and not exists (select from reversal r where r.operation_id = e.operation_id)
    order by e.settled_at
    limit 1);
end $$;
create function find_holds(ids bigint[]) returns setof hold
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  lowest bigint;
  highest bigint;
begin
  select min(id), max(id) into lowest, highest from unnest(ids) id;
  return query select h.* from hold h where h.operation_id = any(ids) and h.operation_id between lowest and highest;
end $$;
create function find_entry(operation bigint, since timestamptz) returns setof entry
language plpgsql stable strict rows 1 set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select e.* from entry e where e.operation_id = operation and e.settled_at >= since limit 1;
end $$;
create function find_entries(ids bigint[], since timestamptz, until timestamptz) returns setof entry
language plpgsql stable strict set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select e.* from entry e where e.operation_id = any(ids) and e.settled_at >= since and e.settled_at < until;
end $$;
-- Raises unless all were held, which rolls back the caller's statement.
create function end_holds(ids bigint[], states text[]) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  lowest bigint;
  highest bigint;
  closed bigint;
begin
  select min(id), max(id) into lowest, highest from unnest(ids) id;
  update hold h
  set state = c.state
  from unnest(ids, states) as c (operation_id, state)
  where h.operation_id = c.operation_id and h.state = 'held' and h.operation_id between lowest and highest;
  get diagnostics closed = row_count;
  if closed <> cardinality(ids) then
    raise exception 'of % holds only % were held', cardinality(ids), closed;
  end if;
  return closed;
end $$;

-- From the newest partition down: max() over all would open the index of each.
create function highest_hold() returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  name text;
  highest bigint;
begin
  for name in select p.name from public.list_partitions('public.hold') p order by p.low::bigint desc loop
    execute format('select max(operation_id) from public.%I', name) into highest;
    exit when highest is not null;
  end loop;
  return coalesce(greatest(highest, (select max(operation_id) from public.hold_default)), 0);
end $$;

-- The service's role may not create, drop or delete in these tables; it may call these functions.

-- Created apart and then attached, to lock briefly: other sessions queue up at a waiting lock. Late
-- rows move under a lock on `subscription`, which every posting takes first: a posting that waited
-- only for the default partition would see neither the old row nor the new one.
create function add_hold_partition(first_id bigint, next_id bigint) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  name text := 'hold_' || first_id;
begin
  execute format('create table public.%I (like public.hold including defaults including constraints) with (fillfactor = 85)', name);
  execute format('alter table public.%I add constraint hold_of_partition check (operation_id >= %s and operation_id < %s)',
    name, first_id, next_id);
  if exists (select from public.hold_default) then
    perform set_config('lock_timeout', '2s', true);
    lock table public.subscription in exclusive mode;
    lock table public.hold_default in access exclusive mode;
    execute format('with late as (delete from public.hold_default where operation_id >= %s and operation_id < %s returning *)
      insert into public.%I select * from late', first_id, next_id, name);
  end if;
  execute format('alter table public.hold attach partition public.%I for values from (%s) to (%s)', name, first_id, next_id);
  execute format('alter table public.%I drop constraint hold_of_partition', name);
  execute format('insert into public.open_hold
    select operation_id, subscription_id, request_units, delivered_units, created_at from public.%I where state = ''held''
    on conflict do nothing', name);
end $$;

create function add_entry_partition(first timestamptz, next timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  name text := to_char(first at time zone 'UTC', '"entry_"YYYY_MM');
begin
  execute format('create table public.%I (like public.entry including defaults including constraints)', name);
  execute format('alter table public.%I add constraint entry_of_partition check (settled_at >= %L and settled_at < %L)',
    name, first, next);
  if exists (select from public.entry_default) then
    perform set_config('lock_timeout', '2s', true);
    lock table public.subscription in exclusive mode;
    lock table public.entry_default in access exclusive mode;
    execute format('with late as (delete from public.entry_default where settled_at >= %L and settled_at < %L returning *)
      insert into public.%I select * from late', first, next, name);
  end if;
  execute format('create unique index %I on public.%I (operation_id)', name || '_operation_idx', name);
  execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, first, next);
  execute format('alter table public.%I drop constraint entry_of_partition', name);
end $$;

-- Operations starts a new range of 2^24 numbers every month, hence two ranges ahead.
create function create_partitions() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  stretch constant bigint := 1 << 24;
  highest bigint := public.highest_hold();
  next_hold bigint;
  next_entry timestamptz;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  loop
    select coalesce(max(high::bigint), 0) into next_hold from public.list_partitions('public.hold');
    exit when next_hold > highest + 2 * stretch;
    perform public.add_hold_partition(next_hold, (next_hold / stretch + 1) * stretch);
    made := made + 1;
  end loop;
  loop
    select coalesce(max(high::timestamptz), date_trunc('month', clock_timestamp(), 'UTC')) into next_entry
    from public.list_partitions('public.entry');
    exit when next_entry > clock_timestamp() + interval '2 months';
    perform public.add_entry_partition(next_entry, (next_entry at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;
select create_partitions();

-- Creates the partitions that a backup needs and this database lacks.
create function restore_partitions(partitions jsonb) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted record;
  made integer := 0;
begin
  for wanted in
    select p."table", p."from", p."to" from jsonb_to_recordset(partitions) p ("table" text, "from" text, "to" text)
  loop
    if wanted."table" = 'hold' and not exists (
      select from public.list_partitions('public.hold') p
      where p.low::bigint < wanted."to"::bigint and p.high::bigint > wanted."from"::bigint
    ) then
      perform public.add_hold_partition(wanted."from"::bigint, wanted."to"::bigint);
      made := made + 1;
    elsif wanted."table" = 'entry' and not exists (
      select from public.list_partitions('public.entry') p
      where p.low::timestamptz < wanted."to"::timestamptz and p.high::timestamptz > wanted."from"::timestamptz
    ) then
      perform public.add_entry_partition(wanted."from"::timestamptz, wanted."to"::timestamptz);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;

-- Drops one partition per call. Locks in the order of postings (subscription, then hold or entry)
-- to avoid deadlocks. Intervals are at most a leap year, so a dropped entry counts in none and no
-- subscription row changes (decision 0007).
create function drop_partitions(older_than timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  old record;
  newest timestamptz;
  needed boolean;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  perform set_config('ledger.retiring', 'on', true);
  select p.name, p.high::timestamptz as next_at into old
  from public.list_partitions('public.entry') p where p.high::timestamptz <= older_than order by next_at limit 1;
  if found then
    execute format('select exists (
      select from public.subscription s
      where least(s.window_tail_at, s.week_tail_at, s.period_tail_at) < %L and exists (
        select from public.%I e
        where e.subscription_id = s.id and e.settled_at > least(s.window_tail_at, s.week_tail_at, s.period_tail_at)))',
      old.next_at, old.name) into needed;
    if not needed then
      lock table public.subscription, public.entry in access exclusive mode;
      update public.pruning set pruned_before = greatest(pruned_before, old.next_at);
      execute format('alter table public.entry detach partition public.%I', old.name);
      execute format('drop table public.%I', old.name);
      delete from public.entry_total where settled_at < old.next_at;
      delete from public.reversal where settled_at < old.next_at;
      return 1;
    end if;
  end if;
  select p.name, p.low::bigint as first_id, p.high::bigint as next_id into old
  from public.list_partitions('public.hold') p order by first_id limit 1;
  if not found then return 0; end if;
  execute format('select created_at from public.%I order by operation_id desc limit 1', old.name) into newest;
  if newest >= older_than
    or exists (select from public.open_hold
               where operation_id >= old.first_id and operation_id < old.next_id)
    or exists (select from public.entry
               where operation_id >= old.first_id and operation_id < old.next_id)
    or not exists (select from public.hold where operation_id >= old.next_id)
  then return 0; end if;
  execute format('select exists (select from public.%I where created_at >= %L)', old.name, older_than) into needed;
  if needed then return 0; end if;
  lock table public.subscription, public.hold in access exclusive mode;
  execute format('alter table public.hold detach partition public.%I', old.name);
  execute format('drop table public.%I', old.name);
  return 1;
end $$;

-- Unlogged: no commit waits for the disk, and a crash only refills the buckets (decision 0009).
create unlogged table call_bucket (
  owner text not null,
  -- May be fractional.
  calls double precision not null,
  filled_at timestamptz not null,
  constraint call_bucket_key primary key (owner)
) with (fillfactor = 50);

create unlogged table call_slot (
  owner text not null,
  holder uuid not null,
  slots integer not null,
  until timestamptz not null,
  constraint call_slot_key primary key (owner, holder)
) with (fillfactor = 50);

grant select, insert, update, delete on call_bucket, call_slot to ledger;

-- Grants what is needed, plus at most a quarter of the rest as prefetch, so that other processes
-- find calls too. Buckets are locked in one order. A clock that was set back adds nothing.
create function take_calls(
  owners text[], needed integer[], prefetch integer[], unused integer[], per_second double precision[], burst integer[]
) returns table (at bigint, taken integer, calls_left double precision)
language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  request record;
  bucket record;
  full_now double precision;
begin
  for request in
    select r.* from unnest(owners, needed, prefetch, unused, per_second, burst) with ordinality
      as r (owner, needed, prefetch, unused, per_second, burst, at) order by r.owner
  loop
    insert into public.call_bucket (owner, calls, filled_at) values (request.owner, request.burst, clock_timestamp())
    on conflict on constraint call_bucket_key do nothing;
    select b.calls, b.filled_at into bucket from public.call_bucket b where b.owner = request.owner for update;
    full_now := least(request.burst, coalesce(bucket.calls, request.burst) + request.unused
      + request.per_second * greatest(0, coalesce(extract(epoch from clock_timestamp() - bucket.filled_at), 0)));
    at := request.at;
    taken := least(request.needed, floor(full_now));
    taken := taken + least(request.prefetch, floor((full_now - taken) / 4));
    calls_left := full_now - taken;
    update public.call_bucket b set calls = calls_left, filled_at = clock_timestamp() where b.owner = request.owner;
    return next;
  end loop;
end $$;

-- Grants at least the occupied slots. A lease further ahead than `kept` was made before the clock
-- was set back, and does not count.
create function take_slots(
  asking uuid, kept interval, owners text[], occupied integer[], wanted integer[], most integer[]
) returns table (at bigint, slots integer)
language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  request record;
  left_by_others integer;
begin
  for request in
    select r.* from unnest(owners, occupied, wanted, most) with ordinality as r (owner, occupied, wanted, most, at)
    order by r.owner
  loop
    perform pg_advisory_xact_lock(hashtextextended('call_slot/' || request.owner, 0));
    select request.most - coalesce(sum(s.slots), 0) into left_by_others
    from public.call_slot s
    where s.owner = request.owner and s.holder <> asking
      and s.until > clock_timestamp() and s.until <= clock_timestamp() + kept;
    at := request.at;
    slots := greatest(request.occupied, least(request.wanted, left_by_others));
    insert into public.call_slot as s (owner, holder, slots, until)
    values (request.owner, asking, take_slots.slots, clock_timestamp() + kept)
    on conflict on constraint call_slot_key do update set slots = excluded.slots, until = excluded.until;
    return next;
  end loop;
end $$;

-- One counter, raised last in a transaction: versions become visible in order (decision 0021).
-- Triggers raise it, so that no writer can forget to.
create table principal_version (
  only_row boolean primary key default true constraint principal_version_single check (only_row),
  -- Renewed after a restore, because versions then repeat.
  epoch uuid not null default gen_random_uuid(),
  version bigint not null default 0,
  -- Every account may have changed at this version.
  everything_at bigint not null default 0
) with (fillfactor = 50);
insert into principal_version default values;

create table principal_change (
  account_id bigint not null,
  version bigint not null,
  constraint principal_change_key primary key (account_id)
);
create index principal_change_version_idx on principal_change (version);
grant select on principal_version, principal_change to ledger;
grant update (epoch) on principal_version to ledger;

-- Contains server and timeline: a promoted standby may lack the latest changes.
create function principal_epoch() returns text
language sql stable set search_path = pg_catalog, public
begin atomic
  select v.epoch || '.' || c.system_identifier || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
  from principal_version v cross join pg_control_system() c;
end;

create function principal_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  changed bigint := nullif(current_setting('ces.principal_version', true), '');
begin
  if changed is null then
    update public.principal_version set version = version + 1 returning version into strict changed;
    perform set_config('ces.principal_version', changed::text, true);
  end if;
  if tg_table_name = 'plan' then
    update public.principal_version set everything_at = changed;
  else
    insert into public.principal_change (account_id, version)
    select distinct account_id, changed from (values (old.account_id), (new.account_id)) as one (account_id)
    where account_id is not null
    on conflict (account_id) do update set version = excluded.version;
  end if;
  return null;
end $$;

-- A new credential can change only refusals, which are not cached. A move between peppers changes
-- nothing.
create constraint trigger credential_changed
  after update of account_id, test_mode, digest, scopes, expires_at, revoked_at on credential
  deferrable initially deferred for each row
  when ((old.account_id, old.test_mode, old.scopes, old.expires_at, old.revoked_at)
          is distinct from (new.account_id, new.test_mode, new.scopes, new.expires_at, new.revoked_at)
        or new.digest is distinct from old.digest and new.digest is distinct from old.moved_digest)
  execute function principal_changed();
create constraint trigger credential_deleted after delete on credential
  deferrable initially deferred for each row execute function principal_changed();

create constraint trigger subscription_changed
  after update of account_id, plan, status, own_page_limit on subscription
  deferrable initially deferred for each row
  when ((old.account_id, old.plan, old.status, old.own_page_limit)
          is distinct from (new.account_id, new.plan, new.status, new.own_page_limit))
  execute function principal_changed();
create constraint trigger subscription_made_or_deleted after insert or delete on subscription
  deferrable initially deferred for each row execute function principal_changed();

create constraint trigger plan_changed after update of page_limit on plan
  deferrable initially deferred for each row when (old.page_limit is distinct from new.page_limit)
  execute function principal_changed();

-- migrate: include advance-sequences.sql

-- migrate: include lease.sql
grant select, insert, update on lease to ledger;

revoke execute on all functions in schema public from public;
grant execute on all functions in schema public to ledger;
revoke execute on function add_hold_partition(bigint, bigint), add_entry_partition(timestamptz, timestamptz),
  restore_partitions(jsonb), principal_changed() from ledger;
