-- What Authenticate would answer has changed, and of which account (decision 0135). One counter, raised once a transaction and as the last
-- thing that it locks, so that versions become visible in the order of their numbers: who sees one sees all changes up to it. By
-- triggers, so that nobody who writes can forget it; postings write no column of theirs.
-- All at once: who has written one of them and is about to write another would be waited for, and wait.
lock table credential, subscription, plan in share row exclusive mode;

create table principal_version (
  only_row boolean primary key default true constraint principal_version_single check (only_row),
  -- Which history versions belong to: a new one begins after a restore.
  epoch uuid not null default gen_random_uuid(),
  version bigint not null default 0,
  -- Of every account something may have changed at this version.
  everything_at bigint not null default 0
) with (fillfactor = 50);
insert into principal_version default values;

create table principal_change (
  account_id bigint not null,
  version bigint not null,
  constraint principal_change_key primary key (account_id)
);
create index principal_change_version_idx on principal_change (version);
grant select on principal_version, principal_change to ledger;

-- The server and its timeline are part of it: a standby that was promoted may have lost the latest changes.
create function principal_epoch() returns text
language sql stable set search_path = pg_catalog, public
begin atomic
  select v.epoch || '.' || c.system_identifier || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
  from principal_version v cross join pg_control_system() c;
end;

-- The version of this transaction, by which others wait from now on until it ends.
create function raise_principal_version() returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  raised bigint := nullif(current_setting('ces.principal_version', true), '');
begin
  if raised is null then
    update public.principal_version set version = version + 1 returning version into strict raised;
    perform set_config('ces.principal_version', raised::text, true);
  end if;
  return raised;
end $$;
revoke all on function raise_principal_version() from public;

create function principal_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  changed bigint := public.raise_principal_version();
begin
  if tg_op <> 'INSERT' then
    insert into public.principal_change (account_id, version) values (old.account_id, changed)
    on conflict (account_id) do update set version = excluded.version;
  end if;
  if tg_op <> 'DELETE' then
    insert into public.principal_change (account_id, version) values (new.account_id, changed)
    on conflict (account_id) do update set version = excluded.version;
  end if;
  return null;
end $$;
revoke all on function principal_changed() from public;

create function every_principal_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  changed bigint := public.raise_principal_version();
begin
  update public.principal_version set everything_at = changed;
  return null;
end $$;
revoke all on function every_principal_changed() from public;

-- A new credential changes no answer but a refusal, which nobody holds. One that moves between peppers is found as before.
create constraint trigger credential_changed
  after update of account_id, test_mode, digest, scopes, expires_at, revoked_at on credential
  deferrable initially deferred for each row
  when ((old.account_id, old.test_mode, old.scopes, old.expires_at, old.revoked_at)
          is distinct from (new.account_id, new.test_mode, new.scopes, new.expires_at, new.revoked_at)
        or new.digest is distinct from old.digest and new.digest is distinct from old.moved_digest)
  execute function principal_changed();
create constraint trigger credential_deleted after delete on credential
  deferrable initially deferred for each row execute function principal_changed();

create constraint trigger subscription_changed
  after update of account_id, plan, status, own_page_limit on subscription
  deferrable initially deferred for each row
  when ((old.account_id, old.plan, old.status, old.own_page_limit)
          is distinct from (new.account_id, new.plan, new.status, new.own_page_limit))
  execute function principal_changed();
create constraint trigger subscription_made_or_deleted after insert or delete on subscription
  deferrable initially deferred for each row execute function principal_changed();

create constraint trigger plan_changed after update of page_limit on plan
  deferrable initially deferred for each row when (old.page_limit is distinct from new.page_limit)
  execute function every_principal_changed();

-- After a restore: versions that were given since mean something else from now on.
create function renew_principal_epoch() returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  update public.principal_version set epoch = gen_random_uuid();
end;
revoke all on function renew_principal_epoch() from public;
grant execute on function renew_principal_epoch() to ledger;
