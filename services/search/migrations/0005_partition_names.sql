-- The table of the partition boundary and the functions of partitions get the words that the code uses. The names before
-- stay as a view and as functions that call the new ones (decision 0034): code from before works with them while pods are
-- replaced and after a rollback. The release after this one drops them.

alter table horizon rename to partitioning;
alter table partitioning rename constraint horizon_key to partitioning_key;
alter table partitioning rename constraint horizon_single to partitioning_single;
create view horizon as select first_month, only_row, kept_from from partitioning;
grant select, update (kept_from) on horizon to search;

alter function forget_list_limits() rename to reset_pending_list_limits;

-- Creates the partition that begins at a day. The role of the service may not create tables; it may ask for exactly this.
-- Created apart and attached, so that searches are never locked out.
create function create_partition(wanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  boundary date := (select first_month from public.partitioning);
  monthly boolean := wanted >= boundary;
  name text := case when isfinite(wanted) then to_char(wanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end) end;
  until date := case when monthly then (wanted + interval '1 month')::date
    else least((wanted + interval '1 year')::date, boundary) end;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  if wanted in ('-infinity', '0001-01-01', 'infinity') or to_regclass('public.' || name) is not null then
    return;
  end if;
  if wanted < '2020-01-01' or wanted > current_date + 62
    or wanted <> date_trunc(case when monthly then 'month' else 'year' end, wanted)::date then
    raise exception 'no partition begins at %', wanted using errcode = 'check_violation';
  end if;
  execute format('create table public.%I (like public.entry including defaults including storage,
    check (bucket is not null and bucket >= %L and bucket < %L)) with (toast_tuple_target = 4096)', name, wanted, until);
  execute format('grant maintain on public.%I to search', name);
  execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, wanted, until);
  perform public.reset_pending_list_limits();
end $$;
revoke all on function create_partition(date) from public;
grant execute on function create_partition(date) to search;
create or replace function make_bucket(wanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.create_partition(wanted);
exception when check_violation then
  raise exception 'no bucket begins at %', wanted using errcode = 'check_violation';
end $$;
drop function attach_bucket(date);

-- Drops the partition that begins at a day, where it is no longer kept. The role of the service may not drop tables; it may
-- ask for exactly this. A search that holds the table is waited for only so long, since all others would wait behind it.
create function drop_partition(unwanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  kept date := (select kept_from from public.partitioning);
  monthly boolean := unwanted >= (select first_month from public.partitioning);
  name text := to_char(unwanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end);
begin
  if kept is null or not isfinite(unwanted) or unwanted >= kept then
    raise exception 'the partition of % is kept', unwanted using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  if to_regclass('public.' || name) is null then
    return;
  end if;
  execute format('alter table public.entry detach partition public.%I', name);
  execute format('drop table public.%I', name);
end $$;
revoke all on function drop_partition(date) from public;
grant execute on function drop_partition(date) to search;
create or replace function drop_bucket(unwanted date) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as 'select public.drop_partition(unwanted)';

-- Flushes the pending lists of all GIN indexes. The role of the service does not own them; it may ask for exactly this.
alter function take_in_lists() rename to flush_pending_lists;
create function take_in_lists() returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as 'select public.flush_pending_lists()';
revoke all on function take_in_lists() from public;
grant execute on function take_in_lists() to search;

-- The columns of the two large tables keep their name: a second column under a better one would have to be filled row by row.
-- So does bucket_size, whose key is that column.
comment on column entry.bucket is 'partition key: the first day of the partition; -infinity for profiles, infinity for events more than a month ahead';
comment on column indexed.bucket is 'the partition of `entry` that the observation is in';
comment on table indexed is 'one row an observation: its version, its partition, and what filters compare';
comment on table entry is 'texts of deliverable observations';
