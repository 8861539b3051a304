-- Units that are held now, in a table of their own, kept by triggers whoever writes `hold`. No index of `hold` names `state` any
-- more, so that ending a hold touches no index (a HOT update).
create table open_hold (
  operation_id bigint primary key,
  subscription_id bigint not null,
  request_units bigint not null,
  delivered_units bigint not null,
  created_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index open_hold_created_idx on open_hold (created_at);
create index open_hold_subscription_idx on open_hold (subscription_id) include (request_units, delivered_units);
grant select on open_hold to ledger;

-- The triggers fire for rows that are held alone: what is charged at once, or refused, costs nothing.
create function open_hold_inserted() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.open_hold (operation_id, subscription_id, request_units, delivered_units, created_at)
  values (new.operation_id, new.subscription_id, new.request_units, new.delivered_units, new.created_at);
  return null;
end $$;
create function open_hold_ended() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.open_hold where operation_id = old.operation_id;
  return null;
end $$;
create function open_hold_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.open_hold
  set operation_id = new.operation_id, subscription_id = new.subscription_id, request_units = new.request_units,
      delivered_units = new.delivered_units, created_at = new.created_at
  where operation_id = old.operation_id;
  return null;
end $$;
create function open_hold_emptied() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  truncate public.open_hold;
  return null;
end $$;

-- Writers wait from here on, so that none comes between what is copied and the triggers.
lock table hold in share row exclusive mode;
create trigger hold_opened after insert on hold
  for each row when (new.state = 'held') execute function open_hold_inserted();
create trigger hold_reopened after update on hold
  for each row when (new.state = 'held' and old.state <> 'held') execute function open_hold_inserted();
create trigger hold_changed after update on hold
  for each row when (new.state = 'held' and old.state = 'held') execute function open_hold_changed();
create trigger hold_closed after update on hold
  for each row when (new.state <> 'held' and old.state = 'held') execute function open_hold_ended();
create trigger hold_deleted after delete on hold
  for each row when (old.state = 'held') execute function open_hold_ended();
create trigger hold_emptied after truncate on hold
  for each statement execute function open_hold_emptied();
insert into open_hold (operation_id, subscription_id, request_units, delivered_units, created_at)
select operation_id, subscription_id, request_units, delivered_units, created_at from hold where state = 'held';

-- Refusals are tombstones for an hour, then they go. `refusal_code` never changes, as `state` does.
create function forget_refusals(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten bigint;
begin
  if older_than > clock_timestamp() - interval '1 hour' then
    raise exception 'refusals are kept for an hour at least' using errcode = 'check_violation';
  end if;
  delete from public.hold h
  using (
    select operation_id
    from public.hold
    where refusal_code is not null and created_at < older_than
    order by created_at
    limit max_rows
  ) old
  where h.operation_id = old.operation_id;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function forget_refusals(timestamptz, integer) from public;
grant execute on function forget_refusals(timestamptz, integer) to ledger;

-- The names of the release before the last, which no code reads any more.
drop view subscription_horizon;
drop function prune_movements(timestamptz, integer);

-- A table without rows has no reader of the release before that would miss them.
do $$
begin
  if not exists (select from hold) then
    drop index hold_held_idx;
    drop index hold_ended_idx;
  end if;
end $$;
