-- What a process remembers of the entries of a subscription is true as long as this number is: entries are only ever added, later than
-- all others, but for those that are taken back, or changed by hand (decision 0138).
alter table subscription add column history_version bigint not null default 0;

create function history_moved() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.subscription s set history_version = s.history_version + 1
  where s.id in (select subscription_id from gone union select subscription_id from come);
  return null;
end $$;
create function history_emptied() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.subscription set history_version = history_version + 1;
  return null;
end $$;
create function history_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- What is pruned has left every interval.
  if current_setting('ledger.retiring', true) = 'on' then return null; end if;
  update public.subscription s set history_version = s.history_version + 1
  where s.id in (select subscription_id from changed);
  return null;
end $$;

create trigger reversal_history_added after insert on reversal referencing new table as changed
  for each statement execute function history_changed();
create trigger reversal_history_moved after update on reversal referencing old table as gone new table as come
  for each statement execute function history_moved();
create trigger reversal_history_deleted after delete on reversal referencing old table as changed
  for each statement execute function history_changed();
create trigger reversal_history_emptied after truncate on reversal
  for each statement execute function history_emptied();
create trigger entry_history_moved after update on entry referencing old table as gone new table as come
  for each statement execute function history_moved();
create trigger entry_history_deleted after delete on entry referencing old table as changed
  for each statement execute function history_changed();
create trigger entry_history_emptied after truncate on entry
  for each statement execute function history_emptied();

create function renew_histories() returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  renewed bigint;
begin
  update public.subscription set history_version = history_version + 1;
  get diagnostics renewed = row_count;
  return renewed;
end $$;
revoke all on function renew_histories() from public;
grant execute on function renew_histories() to ledger;
