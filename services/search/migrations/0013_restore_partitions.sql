-- Makes those partitions of another moment, or of another database, that this one lacks: for who loads their rows. Each is
-- {"table", "from", "to"}; one without "from" is there from the beginning. Months and years are told apart as the copy did.
create function restore_partitions(partitions jsonb) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted record;
  name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  for wanted in
    select p."from"::date as first, p."to"::date as next
    from jsonb_to_recordset(partitions) p ("table" text, "from" text, "to" text)
    where p."table" = 'entry' and p."from" is not null and isfinite(p."from"::date) and p."from"::date >= '2020-01-01'
      and isfinite(p."to"::date) and p."from"::date < '9999-01-01'
    order by 1
  loop
    name := to_char(wanted.first, case when wanted.next - wanted.first <= 31 then '"entry_"YYYY_MM' else '"entry_"YYYY' end);
    continue when to_regclass('public.' || name) is not null;
    begin
      execute format('create table public.%I (like public.entry including defaults including storage,
        check (bucket is not null and bucket >= %L and bucket < %L)) with (toast_tuple_target = 4096)', name, wanted.first, wanted.next);
      execute format('grant maintain on public.%I to search', name);
      execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, wanted.first, wanted.next);
    exception when invalid_object_definition then
      -- Another partition, of a year or of its months, has these days already.
      continue;
    end;
    made := made + 1;
  end loop;
  perform public.reset_pending_list_limits();
  return made;
end $$;
revoke all on function restore_partitions(jsonb) from public;
