-- Partitions are made ahead and dropped behind. The role of the service may neither create nor drop tables; it may ask for this.

-- The partitions there are; each holds the numbers up to its last one and above that of the partition before.
create view operation_partition as
select c.relname::text as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''(\d+)''\)'))[1]::bigint - 1 as last_number
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'operation'::regclass;
grant select on operation_partition to operations;

-- Makes the partition of 2^24 numbers from a multiple of 2^24 on: apart and then attached, so that no call waits.
create function create_operation_partition(multiple bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' as $$
declare
  name text;
  key text;
begin
  foreach name in array array['operation', 'result', 'shortlist', 'plan'] loop
    key := case name when 'operation' then 'id' else 'operation_id' end;
    execute format('create table public.%1$s_%2$s (like public.%1$s including defaults including constraints including storage,
      primary key (%3$s), check (%3$s >= %4$s and %3$s < %5$s))', name, multiple, key, multiple << 24, (multiple + 1) << 24);
    if name = 'operation' then
      execute format('alter table public.operation_%s set (fillfactor = 80)', multiple);
      -- For the release before alone.
      execute format('create index on public.operation_%s (account_id, action, key_digest)', multiple);
      execute format('create index on public.operation_%s using brin (state text_bloom_ops)', multiple);
    else
      execute format('alter table public.%1$s_%2$s add foreign key (operation_id) references public.operation_%2$s (id)
        on delete cascade', name, multiple);
    end if;
    execute format('alter table public.%1$s attach partition public.%1$s_%2$s for values from (%3$s) to (%4$s)',
      name, multiple, multiple << 24, (multiple + 1) << 24);
  end loop;
end
$$;
revoke all on function create_operation_partition(bigint) from public;

-- Makes room for twice 2^24 operations from a number on, or from where numbers have come to.
create function prepare_operation_partitions(from_number bigint default 0) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  reached bigint := greatest(from_number, (select last_value from public.operation_id_seq));
  last bigint;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  last := (select max(last_number) from public.operation_partition);
  while last < reached + (2 << 24) loop
    last := greatest((last + 1) >> 24, reached >> 24);
    perform public.create_operation_partition(last);
    last := ((last + 1) << 24) - 1;
  end loop;
end
$$;
revoke all on function prepare_operation_partitions(bigint) from public;
grant execute on function prepare_operation_partitions(bigint) to operations;

-- When a month has begun since the partition in use got its first operation, numbers go on in the next one: no partition but the
-- first spans more than a month. A statement of its own after those that made partitions: what is set of a sequence is seen by
-- all at once, tables only when they are committed.
create function begin_operation_month() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '3s' as $$
declare
  present public.operation_partition;
  began timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  select * into present from public.operation_partition
  where last_number >= (select last_value from public.operation_id_seq) order by last_number limit 1;
  execute format('select created_at from public.%I order by id limit 1', present.name) into began;
  if began is null or began >= date_trunc('month', clock_timestamp(), 'UTC')
    or not exists (select from public.operation_partition where last_number = present.last_number + (1 << 24)) then
    return;
  end if;
  -- Nobody takes a number meanwhile, or skips some.
  lock table public.operation in share row exclusive mode;
  perform setval('public.operation_id_seq', present.last_number + 1, false)
  from public.operation_id_seq where last_value <= present.last_number;
end
$$;
revoke all on function begin_operation_month() from public;
grant execute on function begin_operation_month() to operations;

-- Drops the partitions in which every operation has ended and was accepted before an instant; returns how many. A reader that
-- holds a table is waited for only so long, since all others would wait behind it.
create function drop_operation_partitions(older_than timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  past public.operation_partition;
  newest timestamptz;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  for past in
    select * from public.operation_partition where last_number < (select last_value from public.operation_id_seq) order by last_number
  loop
    execute format('select created_at from public.%I order by id desc limit 1', past.name) into newest;
    exit when newest >= older_than or exists (select from public.job where operation_id <= past.last_number);
    execute format('drop table public.%I, public.%I, public.%I, public.%I', past.name, replace(past.name, 'operation', 'result'),
      replace(past.name, 'operation', 'shortlist'), replace(past.name, 'operation', 'plan'));
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke all on function drop_operation_partitions(timestamptz) from public;
grant execute on function drop_operation_partitions(timestamptz) to operations;

-- Partition 0 may span years: what is old in it goes row by row, oldest first. Returns how many of `max_rows` that it looked at went.
create function delete_old_operations(older_than timestamptz, max_rows integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deleted integer;
begin
  if to_regclass('public.operation_0') is null then
    return 0;
  end if;
  perform set_config('ces.retiring', 'on', true);
  with oldest as materialized (
    select id, created_at, state from public.operation_0 order by id limit max_rows for update skip locked
  )
  delete from public.operation_0 o using oldest
  where o.id = oldest.id and oldest.created_at < older_than and oldest.state in ('delivered', 'failed', 'retired');
  get diagnostics deleted = row_count;
  perform set_config('ces.retiring', '', true);
  return deleted;
end
$$;
revoke all on function delete_old_operations(timestamptz, integer) from public;
grant execute on function delete_old_operations(timestamptz, integer) to operations;

select prepare_operation_partitions();
