-- migrate: without transaction
-- In pages, each a transaction. What came since the trigger has been noted and counted by it.
do $$
declare
  last_source text := '';
  last_hash bytea := '';
begin
  loop
    with page as materialized (
      select source, hash, fetched_at, last_seen_at from raw_record
       where (source, hash) > (last_source, last_hash) order by source, hash limit 5000),
    noted as (
      insert into kept_record (source, hash, fetched_at, last_seen_at) select * from page
      on conflict on constraint kept_record_key do nothing returning source),
    counted as (
      insert into kept_count (source, records) select source, count(*) from noted group by source order by source
      on conflict on constraint kept_count_key do update set records = kept_count.records + excluded.records)
    select source, hash into last_source, last_hash from page order by source desc, hash desc limit 1;
    exit when not found;
    commit;
  end loop;
  alter table raw_record validate constraint raw_record_of_partition;
end $$;
