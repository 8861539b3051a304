-- Rows that came before their partition are moved into it while postings go on: under a lock that every posting takes first, by the row
-- of its subscription. Who waited for the default partition alone would look for a hold in the new one with a view from before the move,
-- and find none. Where the default partition is in use the lock is waited for for longer: no posting is under way then, and it is rare.
create or replace function add_hold_partition(first_id bigint, next_id bigint) returns void
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
  insert into public.hold_partition values (name, first_id, next_id);
end $$;

create or replace function add_entry_partition(first timestamptz, next timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  name text := case when isfinite(first) then to_char(first at time zone 'UTC', '"entry_"YYYY_MM') else 'entry_first' end;
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
  insert into public.entry_partition values (name, first, next);
end $$;

-- As before, but that postings of a subscription whose counters cannot be moved on are passed over: however many they are, the others go.
create or replace function prune_postings(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  pruned bigint;
  held_up bigint[];
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  if to_regclass('public.hold_first') is null then
    return 0;
  end if;
  perform set_config('ledger.retiring', 'on', true);
  update public.pruning set pruned_before = older_than where pruned_before < older_than;
  held_up := array(
    select s.id
    from public.subscription s
    cross join lateral (select least(s.window_tail_at, s.week_tail_at, s.period_tail_at) as at) tail
    where tail.at < older_than and exists (
      select from public.entry e where e.subscription_id = s.id and e.settled_at > tail.at and e.settled_at < older_than));
  with old as materialized (
    select h.operation_id, e.subscription_id, e.settled_at
    from (
      select operation_id, subscription_id, created_at
      from public.hold_first
      where created_at < older_than and state <> 'held' and (subscription_id = any(held_up)) is not true
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

-- Makes those partitions of another moment, or of another database, that this one lacks: for who loads their rows. Each is
-- {"table", "from", "to"}; no "from" is from the beginning.
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
      select from public.hold_partition
      where first_operation_id < wanted."to"::bigint and next_operation_id > coalesce(wanted."from"::bigint, 0)
    ) then
      perform public.add_hold_partition(coalesce(wanted."from"::bigint, 0), wanted."to"::bigint);
      made := made + 1;
    elsif wanted."table" = 'entry' and not exists (
      select from public.entry_partition
      where first_at < wanted."to"::timestamptz and next_at > coalesce(wanted."from"::timestamptz, '-infinity')
    ) then
      perform public.add_entry_partition(coalesce(wanted."from"::timestamptz, '-infinity'), wanted."to"::timestamptz);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
revoke all on function restore_partitions(jsonb) from public;
