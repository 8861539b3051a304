-- Makes those partitions of another moment, or of another database, that this one lacks: for who loads their rows. Each is
-- {"table", "from", "to"}; no "from" is from the beginning.
create function restore_partitions(partitions jsonb) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted bigint;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  for wanted in
    select distinct multiple
    from jsonb_to_recordset(partitions) p ("table" text, "from" text, "to" text)
    cross join lateral generate_series(coalesce(p."from"::bigint, 0) >> 24, (p."to"::bigint - 1) >> 24) multiple
    where p."table" = 'operation'
    order by multiple
  loop
    -- Partition 0 may cover several of them.
    continue when to_regclass(format('public.operation_%s', wanted)) is not null
      or exists (select from public.operation_partition where name = 'operation_0' and last_number >= wanted << 24);
    perform public.create_operation_partition(wanted);
    made := made + 1;
  end loop;
  return made;
end
$$;
revoke all on function restore_partitions(jsonb) from public;

-- As before, but that operations which have not ended are passed over: however many they are, the others go.
create or replace function delete_old_operations(older_than timestamptz, max_rows integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deleted integer;
begin
  if to_regclass('public.operation_0') is null then
    return 0;
  end if;
  perform set_config('ces.retiring', 'on', true);
  with oldest as materialized (
    select id, created_at, state from public.operation_0 o
    where not exists (select from public.job where operation_id = o.id)
    order by id limit max_rows for update skip locked
  )
  delete from public.operation_0 o using oldest
  where o.id = oldest.id and oldest.created_at < older_than and oldest.state in ('delivered', 'failed', 'retired');
  get diagnostics deleted = row_count;
  perform set_config('ces.retiring', '', true);
  return deleted;
end
$$;
