-- A position in the change feed means something in one history of one server only. The epoch names that history: what was begun
-- anew after a restore, the server, and its timeline, which grows when a standby is promoted or a recovery ends.
create table feed_epoch (
  only_row boolean primary key default true constraint feed_epoch_single check (only_row),
  epoch uuid not null default gen_random_uuid(),
  begun_at timestamptz not null default clock_timestamp()
);
insert into feed_epoch default values;

create function current_timeline() returns integer
language sql volatile set search_path = pg_catalog
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;

-- On which timeline a change was written; null: before this column was.
alter table change add column timeline integer;
alter table change alter column timeline set default current_timeline();

create function feed_epoch() returns text
language sql stable set search_path = pg_catalog, public
begin atomic
  select e.epoch || '.' || c.system_identifier || '.' || current_timeline()
  from feed_epoch e cross join pg_control_system() c;
end;

-- Begins a new history: what readers know of their positions ends with it. Changes that bear a transaction number which this
-- server has not given yet came from another one: they are long past, and are said to be. Returns how many there were.
create function begin_feed_epoch() returns bigint
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  foreign_changes bigint;
begin
  update change set tx = '3', timeline = null where tx >= pg_snapshot_xmax(pg_current_snapshot());
  get diagnostics foreign_changes = row_count;
  update feed_epoch set epoch = gen_random_uuid(), begun_at = clock_timestamp();
  return foreign_changes;
end $$;

grant select on feed_epoch to lookup;
revoke all on function begin_feed_epoch() from public;
grant execute on function begin_feed_epoch() to lookup;
