-- Buckets that grew too old go, one by one, while searches run.

-- Events before this day are no longer indexed; null: all are.
alter table horizon add column kept_from date;
grant update (kept_from) on horizon to search;

-- Takes a bucket that is no longer kept out of the index, with its partition. The role of the service may not drop tables;
-- it may ask for exactly this. Who searches now is waited for only so long, since everybody else would wait behind.
create function drop_bucket(unwanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  kept date := (select kept_from from public.horizon);
  monthly boolean := unwanted >= (select first_month from public.horizon);
  name text := to_char(unwanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end);
begin
  if kept is null or not isfinite(unwanted) or unwanted >= kept then
    raise exception 'the bucket of % is kept', unwanted using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('make_bucket'));
  if to_regclass('public.' || name) is null then
    return;
  end if;
  execute format('alter table public.entry detach partition public.%I', name);
  execute format('drop table public.%I', name);
end $$;
revoke all on function drop_bucket(date) from public;
grant execute on function drop_bucket(date) to search;
