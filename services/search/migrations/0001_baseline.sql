-- Everything here is derived: a rebuild reads it again from lookup's change list.

-- Unpartitioned: its key must be unique over all observations.
create table indexed (
  observation_id bigint not null,
  bucket date not null,
  version bigint not null,
  generation integer not null,
  tombstone boolean not null,
  company_id bigint not null,
  kind smallint not null,
  country smallint not null,
  occurred_at timestamptz,
  observed_at timestamptz not null,
  recorded_at timestamptz not null,
  deliverable_until timestamptz not null,
  constraint indexed_key primary key (observation_id)
);
comment on table indexed is 'one row an observation: its version, its partition, and what filters compare';
comment on column indexed.bucket is 'the partition of `entry` that the observation is in';

-- A memory index reads `text` of all rows when it loads, so it stays in the row, uncompressed.
create table entry (
  observation_id bigint not null,
  bucket date not null,
  company_id bigint not null,
  kind smallint not null,
  country smallint not null,
  occurred_at timestamptz,
  observed_at timestamptz not null,
  deliverable_until timestamptz not null,
  length integer not null,
  text tsvector storage main not null,
  words text storage external not null,
  -- Numbers found in the text (amounts, capacities, stages) as codes. Null: none.
  facts integer[],
  constraint entry_key primary key (observation_id, bucket)
) partition by range (bucket);
comment on table entry is 'texts of deliverable observations';
comment on column entry.bucket is 'partition key: the first day of the partition; -infinity for profiles, infinity for events more than a month ahead';

create table entry_undated partition of entry for values from (minvalue) to ('0001-01-01') with (toast_tuple_target = 4096);
create table entry_before_2020 partition of entry for values from ('0001-01-01') to ('2020-01-01') with (toast_tuple_target = 4096);
create table entry_future partition of entry for values from ('9999-01-01') to (maxvalue) with (toast_tuple_target = 4096);

-- Partitions hold a month from first_month on, and a year before it. Events before kept_from are
-- not indexed; null: all are.
create table partitioning (
  first_month date not null,
  only_row boolean not null default true,
  kept_from date,
  constraint partitioning_key primary key (only_row),
  constraint partitioning_single check (only_row)
);
insert into partitioning (first_month) values (date_trunc('month', now() - interval '12 months')::date);

create table company_doc (
  company_id bigint not null,
  version bigint not null,
  tombstone boolean not null,
  generation integer not null,
  survivor_id bigint not null,
  country smallint not null,
  length integer not null,
  text tsvector storage main not null,
  words text storage external not null,
  name_words text not null,
  constraint company_doc_key primary key (company_id)
) with (toast_tuple_target = 4096);

create table company_domain (
  hostname text not null,
  company_id bigint not null,
  supported_until timestamptz not null,
  constraint company_domain_key primary key (hostname, company_id)
);
create index company_domain_company on company_domain (company_id);

-- Written in the transaction of the changes that it counts.
create table feed (
  only_row boolean not null default true,
  tx bigint,
  seq bigint,
  complete boolean not null default false,
  generation integer not null default 1,
  rebuilding boolean not null default false,
  rebuild_tx bigint,
  rebuild_seq bigint,
  -- Rejects writes of an earlier leader (decision 0006).
  fence bigint not null default 0,
  -- The history of the record in which the position is valid.
  epoch text,
  rebuild_epoch text,
  -- If the code's version is higher, the index is rebuilt.
  analysis_version integer,
  rebuild_analysis_version integer,
  constraint feed_key primary key (only_row),
  constraint feed_single check (only_row)
);
insert into feed default values;

grant select on migration to search;
grant select on partitioning to search;
grant update (kept_from) on partitioning to search;
grant select, insert, update, delete on indexed, entry, company_doc, company_domain to search;
grant select, update on feed to search;

-- The service's role may not create tables; it may call this. Created apart and then attached, so
-- that searches are not locked out.
create function create_partition(wanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  boundary date := (select first_month from public.partitioning);
  monthly boolean := wanted >= boundary;
  name text := case when isfinite(wanted) then to_char(wanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end) end;
  until date := case when monthly then (wanted + interval '1 month')::date
    else least((wanted + interval '1 year')::date, boundary) end;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  if wanted in ('-infinity', '0001-01-01', 'infinity') or to_regclass('public.' || name) is not null then
    return;
  end if;
  if wanted < '2020-01-01' or wanted > current_date + 62
    or wanted <> date_trunc(case when monthly then 'month' else 'year' end, wanted)::date then
    raise exception 'no partition begins at %', wanted using errcode = 'check_violation';
  end if;
  execute format('create table public.%I (like public.entry including defaults including storage,
    check (bucket is not null and bucket >= %L and bucket < %L)) with (toast_tuple_target = 4096)', name, wanted, until);
  execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, wanted, until);
end $$;
revoke all on function create_partition(date) from public;
grant execute on function create_partition(date) to search;

-- Has a short lock timeout, because other sessions queue up at a waiting lock.
create function drop_partition(unwanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  kept date := (select kept_from from public.partitioning);
  monthly boolean := unwanted >= (select first_month from public.partitioning);
  name text := to_char(unwanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end);
begin
  if kept is null or not isfinite(unwanted) or unwanted >= kept then
    raise exception 'the partition of % is kept', unwanted using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  if to_regclass('public.' || name) is null then
    return;
  end if;
  execute format('alter table public.entry detach partition public.%I', name);
  execute format('drop table public.%I', name);
end $$;
revoke all on function drop_partition(date) from public;
grant execute on function drop_partition(date) to search;

-- Creates the partitions that a backup needs and this database lacks. Without "from": from the
-- lowest value. The length tells months from years.
create function restore_partitions(partitions jsonb) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted record;
  name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  for wanted in
    select p."from"::date as first, p."to"::date as next
    from jsonb_to_recordset(partitions) p ("table" text, "from" text, "to" text)
    where p."table" = 'entry' and p."from" is not null and isfinite(p."from"::date) and p."from"::date >= '2020-01-01'
      and isfinite(p."to"::date) and p."from"::date < '9999-01-01'
    order by 1
  loop
    name := to_char(wanted.first, case when wanted.next - wanted.first <= 31 then '"entry_"YYYY_MM' else '"entry_"YYYY' end);
    continue when to_regclass('public.' || name) is not null;
    begin
      execute format('create table public.%I (like public.entry including defaults including storage,
        check (bucket is not null and bucket >= %L and bucket < %L)) with (toast_tuple_target = 4096)', name, wanted.first, wanted.next);
      execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, wanted.first, wanted.next);
    exception when invalid_object_definition then
      -- A partition of the year, or of its months, has these days.
      continue;
    end;
    made := made + 1;
  end loop;
  return made;
end $$;
revoke all on function restore_partitions(jsonb) from public;

-- These tables tell memory indexes which documents they lack (decision 0021). Triggers write them, so
-- that no writer can forget to.

-- Locked until the writer commits, so that versions grow in commit order.
create table index_version (
  only_row boolean not null default true,
  version bigint not null default 0,
  constraint index_version_key primary key (only_row),
  constraint index_version_single check (only_row)
) with (fillfactor = 50);
insert into index_version default values;

-- Very large versions are not listed. A memory index that lacks such a version loads everything
-- again.
create table index_change (
  version bigint not null,
  observation_ids bigint[] not null,
  company_ids bigint[] not null,
  -- Tells the file of a memory index whether its version is of this history of the database.
  mark uuid not null default gen_random_uuid(),
  constraint index_change_key primary key (version)
);

grant select, update on index_version to search;
grant select, insert, update, delete on index_change to search;

create function note_index_change(observations bigint[], companies bigint[]) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  with next as (
    update public.index_version set version = version + 1 returning version
  ), forgotten as (
    delete from public.index_change where version <= (select version from next) - 20000
  )
  insert into public.index_change (version, observation_ids, company_ids) select version, observations, companies from next
   where cardinality(observations) + cardinality(companies) <= 10000
  on conflict (version) do update set observation_ids = excluded.observation_ids, company_ids = excluded.company_ids,
    mark = excluded.mark
$$;

create function note_written_observations() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written) then
    perform public.note_index_change(array(select observation_id from written limit 10001), '{}');
  end if;
  return null;
end $$;
create trigger indexed_inserted after insert on indexed referencing new table as written
  for each statement execute function note_written_observations();
create trigger indexed_updated after update on indexed referencing new table as written
  for each statement execute function note_written_observations();
create trigger indexed_deleted after delete on indexed referencing old table as written
  for each statement execute function note_written_observations();

create function note_written_companies() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written) then
    perform public.note_index_change('{}', array(select company_id from written limit 10001));
  end if;
  return null;
end $$;
create trigger company_doc_inserted after insert on company_doc referencing new table as written
  for each statement execute function note_written_companies();
create trigger company_doc_updated after update on company_doc referencing new table as written
  for each statement execute function note_written_companies();
create trigger company_doc_deleted after delete on company_doc referencing old table as written
  for each statement execute function note_written_companies();

-- Truncation names no rows, so every memory index must load again.
create function note_emptied() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.index_change;
  update public.index_version set version = version + 1;
  return null;
end $$;
create trigger indexed_emptied after truncate on indexed for each statement execute function note_emptied();
create trigger company_doc_emptied after truncate on company_doc for each statement execute function note_emptied();

-- Separate from `feed`, so that both indexes can be filled and searches switched at once.
create table opensearch_feed (
  only_row boolean not null default true,
  tx bigint,
  seq bigint,
  epoch text,
  complete boolean not null default false,
  -- Names the indices being written; during a rebuild the previous ones are searched.
  generation integer not null default 1,
  rebuilding boolean not null default false,
  rebuild_tx bigint,
  rebuild_seq bigint,
  rebuild_epoch text,
  fence bigint not null default 0,
  analysis_version integer,
  rebuild_analysis_version integer,
  -- First day of events in the searched generation, and in the one being built; null: all.
  kept_from date,
  rebuild_kept_from date,
  -- Of vector_feed: observations whose vector is newer or of another model are written again.
  vector_version bigint not null default 0,
  vector_model text not null default '',
  constraint opensearch_feed_key primary key (only_row),
  constraint opensearch_feed_single check (only_row)
);
insert into opensearch_feed default values;
grant select, update on opensearch_feed to search;

-- Used to find and order (decision 0026). One byte per dimension; the cosine needs no scale.
create table observation_vector (
  observation_id bigint not null,
  -- Only vectors of one model are compared.
  model text not null,
  -- Of the text: unchanged texts are not encoded again.
  digest bytea not null,
  vector bytea not null,
  -- Of vector_feed when it was written. Memory indexes read newer ones.
  version bigint not null,
  constraint observation_vector_key primary key (observation_id)
);
create index observation_vector_by_version on observation_vector (version, observation_id);
alter table observation_vector alter column vector set storage external;

-- A null position is the beginning of the change list.
create table vector_feed (
  only_row boolean not null default true,
  model text not null default '',
  tx bigint,
  seq bigint,
  epoch text,
  -- Counts the writes. Its row lock makes them commit in this order.
  version bigint not null default 0,
  -- Rejects writes of an earlier leader.
  fence bigint not null default 0,
  constraint vector_feed_key primary key (only_row),
  constraint vector_feed_single check (only_row)
);
insert into vector_feed default values;
grant select, insert, update, delete on observation_vector to search;
grant select, update on vector_feed to search;

create table audit (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  reason text constraint audit_reason_length check (char_length(reason) <= 500),
  action text not null constraint audit_action_known check (action in ('rebuild_index', 'after_restore')),
  constraint audit_key primary key (id)
);
grant select, insert on audit to search;

-- migrate: include lease.sql

grant select, insert, update on lease to search;
