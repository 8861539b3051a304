-- Makes the partitions that are wanted soon, each table's up to a whole range beyond the number that its sequence has given, and says how many numbers are
-- left before rows would go where no partition was made for them. The role of the service may not create tables; it may ask for exactly this. Each partition
-- is made apart and attached, and who uses the tables meanwhile is waited for only so long, since all others would wait behind it.
create function create_partitions() returns table (partitioned text, numbers_left bigint)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  step constant bigint := 67108864;
  given bigint;
  bound bigint;
  strayed bigint;
  sequence text;
  number text;
  key text;
  options text;
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  for partitioned, number, sequence, key, options in values
    ('observation', 'id', 'observation_id_seq', '', 'with (fillfactor = 90)'),
    ('evidence', 'observation_id', 'observation_id_seq', ', primary key (id)', 'with (fillfactor = 90)'),
    ('change', 'seq', 'change_seq_seq', '', '')
  loop
    execute format('select last_value from public.%I', sequence) into given;
    select max(substring(pg_get_expr(c.relpartbound, c.oid) from $b$TO \('?(\d+)'?\)$b$)::bigint) into bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = format('public.%I', partitioned)::regclass;
    while bound <= given + step loop
      -- In the order in which writes lock them. A sequence that was set forward leaves out what it never gives, and a range of which rows came before
      -- its partition stays where they went.
      lock table public.company, public.observation in share row exclusive mode;
      execute format('select max(%I) from public.%I', number, partitioned || '_beyond') into strayed;
      bound := greatest(bound, given / step * step, (strayed / step + 1) * step);
      name := partitioned || '_' || bound / step;
      execute format('create table public.%I (like public.%I including defaults including constraints including generated including storage%s) %s',
        name, partitioned, key, options);
      execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
        partitioned, name, bound, bound + step);
      bound := bound + step;
    end loop;
    numbers_left := bound - given;
    return next;
  end loop;
end $$;
revoke all on function create_partitions() from public;
grant execute on function create_partitions() to lookup;
