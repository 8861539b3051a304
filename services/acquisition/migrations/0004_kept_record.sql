-- Raw records are partitioned by the month in which they were fetched; what they are known by, over all months, stands in a table of its own, which a partitioned
-- one cannot hold. It also takes when a record was last seen, so that months that are over are never written again.
create table kept_record (
  source text not null,
  hash bytea not null,
  fetched_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint kept_record_key primary key (source, hash)
) with (fillfactor = 80);

-- How many raw records of a source are kept, counted as they come.
create table kept_count (
  source text not null,
  records bigint not null,
  constraint kept_count_key primary key (source)
) with (fillfactor = 50);

grant select, insert on kept_record, kept_count to acquisition;
grant update (last_seen_at) on kept_record to acquisition;
grant update (records) on kept_count to acquisition;

-- A record that is kept already is not kept again, whoever writes it: code from before knows of no other table.
create function keep_record_once() returns trigger language plpgsql as $$
begin
  insert into kept_record (source, hash, fetched_at, last_seen_at)
  values (new.source, new.hash, new.fetched_at, new.last_seen_at)
  on conflict on constraint kept_record_key do nothing;
  return case when found then new end;
end
$$;

create function count_kept_records() returns trigger language plpgsql as $$
begin
  insert into kept_count (source, records) select source, count(*) from added group by source order by source
  on conflict on constraint kept_count_key do update set records = kept_count.records + excluded.records;
  return null;
end
$$;

lock table raw_record in access exclusive mode;
create trigger raw_record_once before insert on raw_record for each row execute function keep_record_once();
create trigger raw_record_counted after insert on raw_record
  referencing new table as added for each statement execute function count_kept_records();
do $$
begin
  -- The table of today becomes the partition of all time until the month after the next.
  execute format('alter table raw_record add constraint raw_record_of_partition check (fetched_at < %L::timestamptz) not valid',
    (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc');
end $$;
