-- Nothing is read or moved: the table that was becomes the first partition of the one that takes its name. Rows that no partition has been made for go to the
-- last one, so that a write never fails for want of one.
lock table raw_record in access exclusive mode;

alter table raw_record rename to raw_record_first;
drop trigger raw_record_once on raw_record_first;
drop trigger raw_record_counted on raw_record_first;
alter table raw_record_first drop constraint raw_record_key;
alter table raw_record_first add constraint raw_record_first_key unique using index raw_record_first_key;
alter index raw_record_of_source_key rename to raw_record_first_of_source_key;

create table raw_record (
  like raw_record_first including defaults including constraints including storage including comments,
  constraint raw_record_key unique (source, hash, fetched_at)
) partition by range (fetched_at);
alter table raw_record drop constraint raw_record_of_partition;
create index raw_record_of_source_key on raw_record (source, key);
create trigger raw_record_once before insert on raw_record for each row execute function keep_record_once();
create trigger raw_record_counted after insert on raw_record
  referencing new table as added for each statement execute function count_kept_records();

create table raw_record_beyond partition of raw_record default;
do $$
begin
  execute format('alter table raw_record attach partition raw_record_first for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from '''(.*?)''')::timestamptz from pg_constraint
      where conrelid = 'raw_record_first'::regclass and conname = 'raw_record_of_partition'));
end $$;
alter table raw_record_first drop constraint raw_record_of_partition;

revoke all on raw_record_first from acquisition;
grant select, insert on raw_record to acquisition;
grant update (last_seen_at) on raw_record to acquisition;

-- Makes the partitions of this month and the two that follow, and says how many days are left before rows would go where no partition was made for them. The
-- role of the service may not create tables; it may ask for exactly this. Each is made apart and attached; who uses the last
-- partition meanwhile is waited for only so long, since all others would wait behind it. A month of which rows came first stays with them.
create function create_partitions() returns table (partitioned text, days_left double precision)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  month timestamptz;
  bound timestamptz;
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from $b$TO \('(.*?)'\)$b$)::timestamptz) into bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'public.raw_record'::regclass;
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', interval '1 month')
  loop
    name := to_char(month, '"raw_record_"YYYY_MM');
    continue when month < bound or to_regclass('public.' || name) is not null
      or exists (select 1 from public.raw_record_beyond where fetched_at >= month and fetched_at < month + interval '1 month');
    execute format('create table public.%I (like public.raw_record including defaults including constraints including storage)', name);
    execute format('alter table public.raw_record attach partition public.%I for values from (%L) to (%L)',
      name, month, month + interval '1 month');
    bound := month + interval '1 month';
  end loop;
  partitioned := 'raw_record';
  days_left := extract(epoch from bound - now()) / 86400;
  return next;
end $$;
revoke all on function create_partitions() from public;
grant execute on function create_partitions() to acquisition;
