-- Entries and holds are kept for a time and then go together. The service may not delete rows itself: this is the one way,
-- and it takes nothing that any horizon may still count, however its numbers change (a window is at most a leap year).
create function prune_movements(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  pruned bigint;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'movements are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  with old as (
    select h.operation_id
    from hold h
    left join entry e on e.operation_id = h.operation_id
    left join subscription s on s.id = h.subscription_id
    where h.created_at < older_than
      and h.state <> 'held'
      and (e.operation_id is null
           or (e.settled_at < older_than
               and e.settled_at <= least(s.window_tail_at, s.week_tail_at, s.period_tail_at)))
    order by h.created_at
    limit max_rows
  ), entries as (
    delete from entry e using old where e.operation_id = old.operation_id
  )
  delete from hold h using old where h.operation_id = old.operation_id;
  get diagnostics pruned = row_count;
  return pruned;
end $$;

create index hold_ended_idx on hold (created_at) where state <> 'held';

revoke all on function prune_movements(timestamptz, integer) from public;
grant execute on function prune_movements(timestamptz, integer) to ledger;
