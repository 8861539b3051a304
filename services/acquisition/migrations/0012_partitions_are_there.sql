-- As before, but that the last partition's name is looked for first: a pass reads the bounds of all, of which years make dozens, only
-- where one is to be made.
create or replace function create_partitions() returns table (partitioned text, days_left double precision)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  month timestamptz;
  bound timestamptz;
  name text;
begin
  partitioned := 'raw_record';
  bound := date_trunc('month', now()) + interval '3 months';
  if to_regclass('public.' || to_char(bound - interval '1 month', '"raw_record_"YYYY_MM')) is not null then
    days_left := extract(epoch from bound - now()) / 86400;
    return next;
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from $b$TO \('(.*?)'\)$b$)::timestamptz) into bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'public.raw_record'::regclass;
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', interval '1 month')
  loop
    name := to_char(month, '"raw_record_"YYYY_MM');
    continue when month < bound or to_regclass('public.' || name) is not null
      or exists (select 1 from public.raw_record_beyond where fetched_at >= month and fetched_at < month + interval '1 month');
    execute format('create table public.%I (like public.raw_record including defaults including constraints including storage)', name);
    execute format('alter table public.raw_record attach partition public.%I for values from (%L) to (%L)',
      name, month, month + interval '1 month');
    bound := month + interval '1 month';
  end loop;
  days_left := extract(epoch from bound - now()) / 86400;
  return next;
end $$;
