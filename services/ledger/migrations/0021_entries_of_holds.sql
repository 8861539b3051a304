-- Entries of operations that were settled at `since` or later and before `until`, in the partitions of that time alone.
create function find_entries(ids bigint[], since timestamptz, until timestamptz) returns setof entry
language plpgsql stable strict set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select e.* from entry e where e.operation_id = any(ids) and e.settled_at >= since and e.settled_at < until;
end $$;
revoke all on function find_entries(bigint[], timestamptz, timestamptz) from public;
grant execute on function find_entries(bigint[], timestamptz, timestamptz) to ledger;

-- The highest number of those holds: later ones are in the partition of that number, the one before it or later ones.
alter table subscription_check add column highest_operation_id bigint not null default 0;
