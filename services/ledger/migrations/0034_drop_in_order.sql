-- As 0022, but in the order in which postings lock: the subscription, then holds and entries. A partition that is dropped takes the table that
-- it refers to with it, so that with entries locked first it and whoever posts waited for each other. One a call, so that nobody
-- waits while the next is looked through; and what is pruned has left every interval (decision 0138), so that no row of a subscription changes.
create or replace function drop_partitions(older_than timestamptz) returns integer
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
  select * into old from public.entry_partition where next_at <= older_than order by first_at limit 1;
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
      delete from public.entry_partition where name = old.name;
      delete from public.entry_total where settled_at < old.next_at;
      delete from public.reversal where settled_at < old.next_at;
      return 1;
    end if;
  end if;
  select * into old from public.hold_partition order by first_operation_id limit 1;
  if not found then return 0; end if;
  execute format('select created_at from public.%I order by operation_id desc limit 1', old.name) into newest;
  if newest >= older_than
    or exists (select from public.open_hold
               where operation_id >= old.first_operation_id and operation_id < old.next_operation_id)
    or exists (select from public.entry
               where operation_id >= old.first_operation_id and operation_id < old.next_operation_id)
    or not exists (select from public.hold where operation_id >= old.next_operation_id)
  then return 0; end if;
  execute format('select exists (select from public.%I where created_at >= %L)', old.name, older_than) into needed;
  if needed then return 0; end if;
  lock table public.subscription, public.hold in access exclusive mode;
  execute format('alter table public.hold detach partition public.%I', old.name);
  execute format('drop table public.%I', old.name);
  delete from public.hold_partition where name = old.name;
  return 1;
end $$;
