-- The highest number of an operation that has a hold; 0 when there is none. Looked for from the newest partition on: what asks all
-- partitions opens the index of each.
create function highest_hold() returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  name text;
  highest bigint;
begin
  for name in select p.name from public.hold_partition p order by first_operation_id desc loop
    execute format('select max(operation_id) from public.%I', name) into highest;
    exit when highest is not null;
  end loop;
  return coalesce(greatest(highest, (select max(operation_id) from public.hold_default)), 0);
end $$;
revoke all on function highest_hold() from public;
grant execute on function highest_hold() to ledger;

create or replace function make_partitions() returns integer
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
    select max(next_operation_id) into next_hold from public.hold_partition;
    exit when next_hold > highest + 2 * stretch;
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

-- Asks all partitions only when the oldest has nothing that is kept.
create or replace function drop_partitions(older_than timestamptz) returns integer
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
    execute format('select created_at from public.%I order by operation_id desc limit 1', old.name) into newest;
    exit when newest >= older_than;
    exit when exists (select from public.open_hold
                 where operation_id >= old.first_operation_id and operation_id < old.next_operation_id)
      or exists (select from public.entry
                 where operation_id >= old.first_operation_id and operation_id < old.next_operation_id);
    exit when not exists (select from public.hold where operation_id >= old.next_operation_id);
    execute format('select exists (select from public.%I where created_at >= %L)', old.name, older_than) into needed;
    exit when needed;
    execute format('alter table public.hold detach partition public.%I', old.name);
    execute format('drop table public.%I', old.name);
    delete from public.hold_partition where name = old.name;
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
