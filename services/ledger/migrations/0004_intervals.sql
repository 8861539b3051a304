-- The view and the function under the names that the code has for them. The former ones stay for processes of the release
-- before, which read them during an upgrade; a later migration drops them.

-- Three rows a subscription: limits and counters of window, week and period. A day is 86,400 s whatever the time zone.
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

-- Entries and holds are kept for a time and then go together. The service may not delete rows itself: this is the one way,
-- and it takes nothing that any interval may still count, however its numbers change (a window is at most a leap year).
create function prune_postings(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  pruned bigint;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
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

grant select on subscription_interval to ledger;
revoke all on function prune_postings(timestamptz, integer) from public;
grant execute on function prune_postings(timestamptz, integer) to ledger;
