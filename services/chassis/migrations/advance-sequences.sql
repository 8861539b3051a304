-- After a restore: clients and services may know numbers of lost rows, so a partition's worth of
-- numbers is skipped.
create function advance_sequences() returns integer
language sql security definer set search_path = pg_catalog, public
begin atomic
  select count(setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + 16777216))::integer
  from pg_sequences
  where schemaname = 'public' and data_type = 'bigint'::regtype;
end;
