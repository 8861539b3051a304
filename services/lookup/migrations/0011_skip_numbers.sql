-- After a restore: numbers that were given since, and that a client or another service may know, are never given again. Each sequence
-- skips as many as no loss will have reached, a partition's worth.
create function skip_numbers() returns integer
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  numbering record;
  skipped integer := 0;
begin
  for numbering in
    select format('%I.%I', schemaname, sequencename)::regclass as id, coalesce(last_value, 0) as last
    from pg_sequences
    where schemaname = 'public' and data_type = 'bigint'::regtype
  loop
    perform setval(numbering.id, numbering.last + 16777216);
    skipped := skipped + 1;
  end loop;
  return skipped;
end $$;

revoke all on function skip_numbers() from public;
grant execute on function skip_numbers() to lookup;

-- Changes that bear a transaction number which this server has not given yet came from another one: they are long past, and are
-- said to be, at most so many at once. Returns how many there were.
create function settle_foreign_changes(max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  settled bigint;
begin
  with foreign_change as (
    select tx, seq from change where tx >= pg_snapshot_xmax(pg_current_snapshot()) order by tx, seq limit max_rows
  )
  update change c set tx = '3', timeline = null
  from foreign_change f where c.tx = f.tx and c.seq = f.seq;
  get diagnostics settled = row_count;
  return settled;
end $$;

-- Begins a new history: what readers know of their positions ends with it.
create or replace function begin_feed_epoch() returns bigint
language sql security definer set search_path = pg_catalog, public
begin atomic
  update feed_epoch set epoch = gen_random_uuid(), begun_at = clock_timestamp() returning 0::bigint;
end;

revoke all on function settle_foreign_changes(integer) from public;
grant execute on function settle_foreign_changes(integer) to lookup;
