-- Holds and entries are about to become the first partition each of a partitioned table (decision 0069). What bounds them is said
-- here and proven by the next two migrations, beside writers, so that the change itself scans nothing.
create table hold_partition (
  name text primary key,
  first_operation_id bigint not null constraint hold_partition_first_key unique,
  next_operation_id bigint not null constraint hold_partition_next_key unique,
  constraint hold_partition_order check (first_operation_id < next_operation_id)
);
create table entry_partition (
  name text primary key,
  first_at timestamptz not null constraint entry_partition_first_key unique,
  next_at timestamptz not null constraint entry_partition_next_key unique,
  constraint entry_partition_order check (first_at < next_at)
);
grant select on hold_partition, entry_partition to ledger;

do $$
declare
  highest bigint := (select max(operation_id) from hold);
  -- A million numbers for the writers of the minutes until the partitions stand.
  next_hold bigint := coalesce(highest + 1000000, 1 << 24);
  this_month timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  next_entry timestamptz := case when highest is null then this_month
    else date_trunc('month', clock_timestamp() + interval '2 days', 'UTC') + interval '1 month' end;
begin
  insert into hold_partition values ('hold_first', 0, next_hold);
  insert into entry_partition values ('entry_first', '-infinity', next_entry);
  execute format('alter table hold add constraint hold_of_partition check (operation_id < %s) not valid', next_hold);
  execute format('alter table entry add constraint entry_of_partition check (settled_at < %L) not valid', next_entry);
end $$;
