-- Contracts what 0022 and 0023 kept for the release before them: indexes by which nobody looks any more, each written with every operation,
-- those of summaries with every change of state too. What an operation froze goes by the trigger that takes its job and its key, as all
-- four tables are cut at the same numbers: a foreign key read and locked the operation again for every row.
create or replace function forget_operation() returns trigger language plpgsql as $$
begin
  delete from job where operation_id = old.id;
  delete from result where operation_id = old.id;
  delete from shortlist where operation_id = old.id;
  delete from plan where operation_id = old.id;
  if current_setting('ces.retiring', true) is distinct from 'on' then
    delete from request_key where operation_id = old.id;
  end if;
  return null;
end
$$;

create or replace function create_operation_partition(multiple bigint) returns void
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
    end if;
    execute format('alter table public.%1$s attach partition public.%1$s_%2$s for values from (%3$s) to (%4$s)',
      name, multiple, multiple << 24, (multiple + 1) << 24);
  end loop;
end
$$;

do $$
declare
  leftover record;
begin
  for leftover in
    select c.conrelid::regclass as partition, c.conname as name
    from pg_constraint c join pg_inherits i on i.inhrelid = c.conrelid
    where c.contype = 'f' and i.inhparent in ('result'::regclass, 'shortlist'::regclass, 'plan'::regclass)
  loop
    execute format('alter table %s drop constraint %I', leftover.partition, leftover.name);
  end loop;
  alter table if exists operation_0 drop constraint if exists operation_0_key;
  -- Those that every partition has belong to an index of the whole table.
  for leftover in
    select x.indexrelid::regclass as index
    from pg_index x join pg_inherits i on i.inhrelid = x.indrelid
    where i.inhparent = 'operation'::regclass and not exists (select from pg_inherits where inhrelid = x.indexrelid)
  loop
    execute format('drop index %s', leftover.index);
  end loop;
end
$$;
