-- Refusals that are remembered, in a table of their own, kept by a trigger whoever writes `hold`: which are old enough to go is found
-- without opening a partition of holds.
-- At once as much as is needed at the end: who reads holds and is about to write them would be waited for, and wait.
lock table hold in access exclusive mode;
create table refusal (
  operation_id bigint primary key,
  created_at timestamptz not null
);
create index refusal_created_idx on refusal (created_at);

create function refusal_remembered() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.refusal (operation_id, created_at) values (new.operation_id, new.created_at)
  on conflict (operation_id) do update set created_at = excluded.created_at;
  return null;
end $$;

create trigger hold_refused after insert on hold
  for each row when (new.refusal_code is not null) execute function refusal_remembered();
insert into refusal (operation_id, created_at)
select operation_id, created_at from hold where refusal_code is not null;

create or replace function forget_refusals(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  ids bigint[];
  lowest bigint;
  highest bigint;
begin
  if older_than > clock_timestamp() - interval '1 hour' then
    raise exception 'refusals are kept for an hour at least' using errcode = 'check_violation';
  end if;
  select array_agg(operation_id), min(operation_id), max(operation_id) into ids, lowest, highest
  from (select operation_id from public.refusal where created_at < older_than order by created_at limit max_rows) old;
  if ids is null then
    return 0;
  end if;
  delete from public.hold
  where operation_id = any(ids) and operation_id between lowest and highest and refusal_code is not null and created_at < older_than;
  delete from public.refusal where operation_id = any(ids);
  return cardinality(ids);
end $$;
drop index hold_refused_idx;
