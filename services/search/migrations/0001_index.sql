-- An index of the record. Nothing here must survive: a rebuild makes all of it from lookup's change list.

-- Which documents are indexed, at which version and in which bucket, and all of them that filters ask for. Unpartitioned,
-- since a key on the partitioned table could not say it, and since one index finds the newest of a company.
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
create index indexed_company on indexed (company_id, occurred_at desc nulls last) where not tombstone;
create index indexed_kind on indexed (kind, occurred_at desc nulls last) where not tombstone;
create index indexed_observed_at on indexed (observed_at desc, observation_id desc) where not tombstone;

-- Texts of deliverable observations. bucket: -infinity for profiles, the year before the horizon, the month from it on,
-- infinity for events more than a month ahead.
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
  text tsvector not null,
  words text not null,
  constraint entry_key primary key (observation_id, bucket)
) partition by range (bucket);

-- Ranking reads `text` of thousands of rows a query: it stays in the row and uncompressed.
alter table entry alter column text set storage main;
alter table entry alter column words set storage external;

-- A short pending list doubles the speed of a catch-up and costs a search less than a millisecond.
create index entry_text on entry using gin (text) with (gin_pending_list_limit = 256);

create table horizon (
  first_month date not null,
  only_row boolean not null default true,
  constraint horizon_key primary key (only_row),
  constraint horizon_single check (only_row)
);
insert into horizon (first_month) values (date_trunc('month', now() - interval '12 months')::date);

-- Makes the partition of a bucket. The role of the service may not create tables; it may ask for exactly this one.
-- Made apart and attached, so that searches are never locked out.
create function make_bucket(wanted date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  edge date := (select first_month from public.horizon);
  monthly boolean := wanted >= edge;
  name text := case when isfinite(wanted) then to_char(wanted, case when monthly then '"entry_"YYYY_MM' else '"entry_"YYYY' end) end;
  until date := case when monthly then (wanted + interval '1 month')::date
    else least((wanted + interval '1 year')::date, edge) end;
begin
  perform pg_advisory_xact_lock(hashtext('make_bucket'));
  if wanted in ('-infinity', '0001-01-01', 'infinity') or to_regclass('public.' || name) is not null then
    return;
  end if;
  if wanted < '2020-01-01' or wanted > current_date + 62
    or wanted <> date_trunc(case when monthly then 'month' else 'year' end, wanted)::date then
    raise exception 'no bucket begins at %', wanted using errcode = 'check_violation';
  end if;
  execute format('create table public.%I (like public.entry including defaults including storage,
    check (bucket is not null and bucket >= %L and bucket < %L)) with (toast_tuple_target = 4096)', name, wanted, until);
  execute format('grant maintain on public.%I to search', name);
  execute format('alter table public.entry attach partition public.%I for values from (%L) to (%L)', name, wanted, until);
end $$;

create table entry_undated partition of entry for values from (minvalue) to ('0001-01-01') with (toast_tuple_target = 4096);
create table entry_before_2020 partition of entry for values from ('0001-01-01') to ('2020-01-01') with (toast_tuple_target = 4096);
create table entry_future partition of entry for values from ('9999-01-01') to (maxvalue) with (toast_tuple_target = 4096);

-- One row a company: its profile as context for the ranking of its observations, joined when a query runs, and its name.
create table company_doc (
  company_id bigint not null,
  version bigint not null,
  tombstone boolean not null,
  generation integer not null,
  survivor_id bigint not null,
  country smallint not null,
  length integer not null,
  text tsvector not null,
  words text not null,
  name_words text not null,
  constraint company_doc_key primary key (company_id)
) with (toast_tuple_target = 4096);
alter table company_doc alter column text set storage main;
alter table company_doc alter column words set storage external;
create index company_doc_text on company_doc using gin (text) with (gin_pending_list_limit = 256);
create index company_doc_name on company_doc using gin (string_to_array(name_words, ' '));

create table company_domain (
  hostname text not null,
  company_id bigint not null,
  supported_until timestamptz not null,
  constraint company_domain_key primary key (hostname, company_id)
);
create index company_domain_company on company_domain (company_id);

-- Statistics for BM25, refreshed by a job. Lexemes of a single document are left out.
create table corpus (
  name text not null,
  documents bigint not null,
  mean_length double precision not null,
  constraint corpus_key primary key (name)
);
insert into corpus (name, documents, mean_length) values ('entry', 0, 1), ('description', 0, 1);

create table lexeme_df (
  corpus text not null,
  lexeme text not null,
  documents bigint not null,
  constraint lexeme_df_key primary key (corpus, lexeme)
);

create table bucket_size (
  bucket date not null,
  entries bigint not null,
  constraint bucket_size_key primary key (bucket)
);

-- How far the change list has been applied, written with what was applied.
create table feed (
  only_row boolean not null default true,
  tx bigint,
  seq bigint,
  complete boolean not null default false,
  generation integer not null default 1,
  rebuilding boolean not null default false,
  rebuild_tx bigint,
  rebuild_seq bigint,
  constraint feed_key primary key (only_row),
  constraint feed_single check (only_row)
);
insert into feed default values;

grant select on migration, horizon to search;
grant select, insert, update, delete on indexed, entry, company_doc, company_domain, lexeme_df, bucket_size to search;
grant select, update on corpus, feed to search;
-- For `analyze` after much was applied.
grant maintain on indexed, entry, entry_undated, entry_before_2020, entry_future, company_doc, company_domain to search;
revoke all on function make_bucket(date) from public;
grant execute on function make_bucket(date) to search;
