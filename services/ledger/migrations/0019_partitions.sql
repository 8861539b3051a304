-- Holds by operation and entries by month (decision 0069). The tables that were become the first partitions; their constraints keep
-- the names that the release before knows. A change of the catalogue alone: the bounds are proven.
lock table hold, entry in access exclusive mode;

alter table entry drop constraint entry_hold_fkey;
drop trigger hold_opened on hold;
drop trigger hold_reopened on hold;
drop trigger hold_changed on hold;
drop trigger hold_closed on hold;
drop trigger hold_deleted on hold;
drop trigger hold_emptied on hold;
drop trigger entry_deleted on entry;
drop trigger entry_changed on entry;
drop trigger entry_emptied on entry;
alter table hold rename to hold_first;
alter table entry rename to entry_first;
alter index hold_refused_idx rename to hold_first_refused_idx;
alter index hold_subscription_created_idx rename to hold_first_subscription_created_idx;
alter index hold_created_idx rename to hold_first_created_idx;
revoke all on hold_first, entry_first from ledger;

create table hold (like hold_first including defaults including constraints) partition by range (operation_id);
alter table hold drop constraint hold_of_partition;
alter table hold add constraint hold_key primary key (operation_id);
alter table hold add constraint hold_subscription_fkey foreign key (subscription_id) references subscription;
create index hold_subscription_created_idx on hold (subscription_id, created_at);
create index hold_refused_idx on hold (created_at) where refusal_code is not null;
create trigger hold_opened after insert on hold
  for each row when (new.state = 'held') execute function open_hold_inserted();
create trigger hold_reopened after update on hold
  for each row when (new.state = 'held' and old.state <> 'held') execute function open_hold_inserted();
create trigger hold_changed after update on hold
  for each row when (new.state = 'held' and old.state = 'held') execute function open_hold_changed();
create trigger hold_closed after update on hold
  for each row when (new.state <> 'held' and old.state = 'held') execute function open_hold_ended();
create trigger hold_deleted after delete on hold
  for each row when (old.state = 'held') execute function open_hold_ended();

create table entry (like entry_first including defaults including constraints) partition by range (settled_at);
alter table entry drop constraint entry_of_partition;
alter table entry add constraint entry_key unique (subscription_id, settled_at)
  include (request_units, delivered_units, fresh_evidence_units);
alter table entry add constraint entry_subscription_fkey foreign key (subscription_id) references subscription;
create trigger entry_deleted after delete on entry referencing old table as gone
  for each statement execute function forget_totals();
create trigger entry_changed after update on entry referencing old table as gone new table as come
  for each statement execute function forget_moved_totals();

-- A foreign key would look through all entries whenever holds that are no longer kept go.
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

-- Entries go with the holds that they belong to, and what is derived from either with it.
create function postings_emptied() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  truncate public.entry, public.open_hold;
  return null;
end $$;
create trigger hold_emptied after truncate on hold
  for each statement execute function postings_emptied();
create trigger entry_emptied after truncate on entry
  for each statement execute function forget_all_totals();
drop function open_hold_emptied();

do $$
declare
  next_hold bigint := (select next_operation_id from hold_partition);
  next_entry timestamptz := (select next_at from entry_partition);
begin
  execute format('alter table hold attach partition hold_first for values from (minvalue) to (%s)', next_hold);
  execute format('alter table entry attach partition entry_first for values from (minvalue) to (%L)', next_entry);
end $$;
alter table hold_first drop constraint hold_of_partition;
alter table entry_first drop constraint entry_of_partition;
-- What comes before its partition is made goes here, and from here into the partition.
create table hold_default partition of hold default with (fillfactor = 85);
create table entry_default partition of entry default;
create unique index entry_default_operation_idx on entry_default (operation_id);

grant select, insert, update (state) on hold to ledger;
grant select, insert on entry to ledger;

-- Makes the partition of holds for a stretch of operations. It is made apart and attached: who holds the default partition is
-- waited for only so long, since all would wait behind.
create function add_hold_partition(first_id bigint, next_id bigint) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  name text := 'hold_' || first_id;
begin
  execute format('create table public.%I (like public.hold including defaults including constraints) with (fillfactor = 85)', name);
  execute format('alter table public.%I add constraint hold_of_partition check (operation_id >= %s and operation_id < %s)',
    name, first_id, next_id);
  execute format('with late as (delete from public.hold_default where operation_id >= %s and operation_id < %s returning *)
    insert into public.%I select * from late', first_id, next_id, name);
  execute format('alter table public.hold attach partition public.%I for values from (%s) to (%s)', name, first_id, next_id);
  execute format('alter table public.%I drop constraint hold_of_partition', name);
  execute format('insert into public.open_hold
    select operation_id, subscription_id, request_units, delivered_units, created_at from public.%I where state = ''held''
    on conflict do nothing', name);
  insert into public.hold_partition values (name, first_id, next_id);
end $$;
create function add_entry_partition(first timestamptz, next timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  name text := to_char(first at time zone 'UTC', '"entry_"YYYY_MM');
begin
  execute format('create table public.%I (like public.entry including defaults including constraints)', name);
  execute format('alter table public.%I add constraint entry_of_partition check (settled_at >= %L and settled_at < %L)',
    name, first, next);
  execute format('with late as (delete from public.entry_default where settled_at >= %L and settled_at < %L returning *)
    insert into public.%I select * from late', first, next, name);
  execute format('create unique index %I on public.%I (operation_id)', name || '_operation_idx', name);
  execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, first, next);
  execute format('alter table public.%I drop constraint entry_of_partition', name);
  insert into public.entry_partition values (name, first, next);
end $$;
revoke all on function add_hold_partition(bigint, bigint), add_entry_partition(timestamptz, timestamptz) from public;

-- Partitions ahead: of entries to the end of the month after next, of holds for twice 2^24 operations more than the highest number
-- there is. Operations begins a new stretch of 2^24 every month. Returns how many were made.
create function make_partitions() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  stretch constant bigint := 1 << 24;
  highest bigint := (select max(operation_id) from public.hold);
  next_hold bigint;
  next_entry timestamptz;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  loop
    select max(next_operation_id) into next_hold from public.hold_partition;
    exit when next_hold > coalesce(highest, 0) + 2 * stretch;
    perform public.add_hold_partition(next_hold, (next_hold / stretch + 1) * stretch);
    made := made + 1;
  end loop;
  loop
    select max(next_at) into next_entry from public.entry_partition;
    exit when next_entry > clock_timestamp() + interval '2 months';
    perform public.add_entry_partition(next_entry, (next_entry at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;
revoke all on function make_partitions() from public;
grant execute on function make_partitions() to ledger;
select make_partitions();

-- Drops partitions of entries and holds that are no longer kept, and nothing that any interval may still count, however its
-- numbers change (a window is at most a leap year). Who holds a table is waited for only so long. Returns how many went.
create function drop_partitions(older_than timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  old record;
  newest timestamptz;
  needed boolean;
  dropped integer := 0;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  for old in select * from public.entry_partition where next_at <= older_than order by first_at loop
    execute format('select exists (
      select from public.subscription s
      where least(s.window_tail_at, s.week_tail_at, s.period_tail_at) < %L and exists (
        select from public.%I e
        where e.subscription_id = s.id and e.settled_at > least(s.window_tail_at, s.week_tail_at, s.period_tail_at)))',
      old.next_at, old.name) into needed;
    exit when needed;
    update public.pruning set pruned_before = greatest(pruned_before, old.next_at);
    execute format('alter table public.entry detach partition public.%I', old.name);
    execute format('drop table public.%I', old.name);
    delete from public.entry_partition where name = old.name;
    delete from public.entry_total where settled_at < old.next_at;
    delete from public.reversal where settled_at < old.next_at;
    dropped := dropped + 1;
  end loop;
  for old in select * from public.hold_partition order by first_operation_id loop
    exit when exists (select from public.hold where operation_id >= old.next_operation_id) is not true;
    execute format('select created_at from public.%I order by operation_id desc limit 1', old.name) into newest;
    exit when newest >= older_than
      or exists (select from public.open_hold
                 where operation_id >= old.first_operation_id and operation_id < old.next_operation_id)
      or exists (select from public.entry
                 where operation_id >= old.first_operation_id and operation_id < old.next_operation_id);
    execute format('select exists (select from public.%I where created_at >= %L)', old.name, older_than) into needed;
    exit when needed;
    execute format('alter table public.hold detach partition public.%I', old.name);
    execute format('drop table public.%I', old.name);
    delete from public.hold_partition where name = old.name;
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke all on function drop_partitions(timestamptz) from public;
grant execute on function drop_partitions(timestamptz) to ledger;

-- Row by row from the first partition of holds, in which there may be more than a month, until it is dropped with the rest.
create or replace function prune_postings(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  pruned bigint;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  if to_regclass('public.hold_first') is null then
    return 0;
  end if;
  perform set_config('ledger.retiring', 'on', true);
  update public.pruning set pruned_before = older_than where pruned_before < older_than;
  with old as materialized (
    select h.operation_id, e.subscription_id, e.settled_at
    from (
      select operation_id, subscription_id, created_at
      from public.hold_first
      where created_at < older_than and state <> 'held'
      order by created_at
      limit max_rows
    ) h
    left join lateral (
      select e.subscription_id, e.settled_at
      from public.entry e
      where e.operation_id = h.operation_id and e.settled_at >= h.created_at
      limit 1
    ) e on true
    left join public.subscription s on s.id = h.subscription_id
    where e.settled_at is null
       or (e.settled_at < older_than and e.settled_at <= least(s.window_tail_at, s.week_tail_at, s.period_tail_at))
  ), entries as (
    delete from public.entry e using old where e.subscription_id = old.subscription_id and e.settled_at = old.settled_at
  )
  delete from public.hold_first h using old where h.operation_id = old.operation_id;
  get diagnostics pruned = row_count;
  return pruned;
end $$;

-- What every call asks of holds and entries, beside units_between: each with one plan for all parameters, in which partitions that
-- are not meant are left out when it is run.
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
-- The entry of an operation that was settled at `since` or later and before `until`; nothing for no operation.
create function find_entry(operation bigint, since timestamptz, until timestamptz default 'infinity') returns setof entry
language plpgsql stable strict rows 1 set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select e.* from entry e where e.operation_id = operation and e.settled_at >= since and e.settled_at < until limit 1;
end $$;
create function close_holds(ids bigint[], states text[]) returns bigint
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
  return closed;
end $$;
revoke all on function oldest_request(bigint, timestamptz), find_holds(bigint[]), close_holds(bigint[], text[]),
  find_entry(bigint, timestamptz, timestamptz) from public;
grant execute on function oldest_request(bigint, timestamptz), find_holds(bigint[]), close_holds(bigint[], text[]),
  find_entry(bigint, timestamptz, timestamptz) to ledger;
