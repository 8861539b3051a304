-- After a restore: numbers that were given since, and that a client or another service may know, are never given again. Each sequence
-- skips as many as no loss will have reached, a partition's worth.
create function skip_numbers() returns integer
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  numbering record;
  skipped integer := 0;
begin
  for numbering in
    select format('%I.%I', schemaname, sequencename)::regclass as id, coalesce(last_value, 0) as last
    from pg_sequences
    where schemaname = 'public' and data_type = 'bigint'::regtype
  loop
    perform setval(numbering.id, numbering.last + 16777216);
    skipped := skipped + 1;
  end loop;
  return skipped;
end $$;

revoke all on function skip_numbers() from public;
grant execute on function skip_numbers() to ledger;

-- What was deleted for its age, whatever the settings say by now.
create table pruning (
  only_row boolean primary key default true constraint pruning_single check (only_row),
  pruned_before timestamptz not null default '-infinity'
);
insert into pruning default values;
grant select, update (pruned_before) on pruning to ledger;
