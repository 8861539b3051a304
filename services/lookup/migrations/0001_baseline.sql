create sequence company_id_seq as bigint;

-- survivor_id is the canonical company of the group, never a merged one. The canonical row is also
-- the lock for everything recorded about the group.
create table company (
  id bigint primary key default nextval('company_id_seq'),
  survivor_id bigint not null,
  name text not null constraint company_name_length check (char_length(name) between 1 and 500),
  country text not null constraint company_country_known check (country in ('CA', 'US')),
  version bigint not null default 1,
  survives boolean not null generated always as (survivor_id = id) stored,
  survivor_survives boolean not null generated always as (true) stored,
  -- Normalised legal name. Empty: too generic to identify a company.
  name_key text not null,
  constraint company_survival unique (id, survives),
  constraint company_survivor_flat foreign key (survivor_id, survivor_survives) references company (id, survives)
) with (fillfactor = 75);
alter sequence company_id_seq owned by company.id;
comment on column company.survivor_id is 'the canonical company of the group; its own id when it was never merged';
create index company_survivor on company (survivor_id);
create index company_name_key on company (country, name_key) where name_key <> '';

-- Deferred: the source key is inserted before its company.
create table company_source_key (
  source text not null constraint company_source_length check (char_length(source) between 1 and 100),
  source_key text not null constraint company_source_key_length check (char_length(source_key) between 1 and 512),
  company_id bigint not null constraint company_source_key_of references company (id) deferrable initially deferred,
  primary key (source, source_key)
);
create index company_source_key_company on company_source_key (company_id);

-- Identifiers that only one company has (decision 0015).
create table company_identifier (
  scheme text not null constraint identifier_scheme_known check (scheme in (
    'cik', 'lei', 'uei', 'bn', 'register', 'opencorporates', 'spglobal')),
  value text not null constraint identifier_value_length check (char_length(value) between 1 and 64),
  company_id bigint not null references company (id),
  primary key (scheme, value)
);
create index company_identifier_company on company_identifier (company_id);

-- Identifiers that several companies may share: they only confirm a match (decision 0015).
create table company_shared_identifier (
  scheme text not null constraint shared_identifier_scheme_known check (scheme in ('ein', 'duns', 'cage', 'isin', 'bic')),
  value text not null constraint shared_identifier_value_length check (char_length(value) between 1 and 64),
  company_id bigint not null references company (id),
  primary key (company_id, scheme, value)
);
create index company_shared_identifier_value on company_shared_identifier (scheme, value);

-- Days are the source's; null: it gives none.
create table company_former_name (
  company_id bigint not null references company (id),
  name text not null constraint company_former_name_length check (char_length(name) between 1 and 500),
  name_key text not null,
  since timestamptz,
  until timestamptz,
  primary key (company_id, name)
);
create index company_former_name_key on company_former_name (name_key) where name_key <> '';

-- The service recomputes all name keys when its own version is higher.
create table name_key_version (
  lone boolean primary key default true constraint name_key_version_lone check (lone),
  version int not null
);

create table domain (
  id bigint generated always as identity primary key,
  hostname text not null constraint domain_hostname_lower check (hostname = lower(hostname)),
  constraint domain_hostname_unique unique (hostname)
);

-- declared: the newest record of the source names it. Rows are kept when it no longer does.
create table company_domain (
  id bigint generated always as identity primary key,
  company_id bigint not null references company (id),
  domain_id bigint not null references domain (id),
  source text not null,
  declared boolean not null default true,
  constraint company_domain_unique unique (company_id, domain_id, source)
);
create index company_domain_domain on company_domain (domain_id);

-- member_ids moved with company_id, and move back when the merge is undone.
create table company_merge (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  company_id bigint not null references company (id),
  into_id bigint not null references company (id),
  rule text not null constraint company_merge_rule_known
    check (rule in ('identifier', 'hostname', 'shared_identifier', 'name', 'former_name', 'operator')),
  member_ids bigint[] not null constraint company_merge_moves_itself check (company_id = any(member_ids)),
  undone_at timestamptz,
  constraint company_merge_of_two check (company_id <> into_id)
);
create index company_merge_company on company_merge (company_id, id);

-- Pairs that were split: no rule merges their groups again.
create table do_not_merge_pair (
  company_id bigint not null references company (id),
  other_id bigint not null references company (id),
  primary key (company_id, other_id),
  constraint do_not_merge_pair_ordered check (company_id < other_id)
);
create index do_not_merge_pair_other on do_not_merge_pair (other_id);

grant select on migration to lookup;
grant select, insert on company, company_source_key, company_identifier, company_shared_identifier, company_former_name,
  name_key_version, domain, company_domain, company_merge, do_not_merge_pair to lookup;
grant update (name, country, version, survivor_id, name_key) on company to lookup;
grant usage on sequence company_id_seq to lookup;
grant update (since, until, name_key) on company_former_name to lookup;
grant update (version) on name_key_version to lookup;
grant update (declared) on company_domain to lookup;
grant update (undone_at) on company_merge to lookup;
grant delete on do_not_merge_pair to lookup;

-- Growing tables are partitioned by id ranges, which keeps indexes and vacuums small. A range has
-- 2^26 numbers, because a look-up asks every partition. Default partitions accept rows that have no
-- partition yet.

create sequence observation_id_seq as bigint;

-- recorded_at grows strictly from commit to commit, in whole milliseconds, so that reads as of an
-- instant are exact (db/commit-order.ts). VerifyRecord compares fact_hash (db/record-hash.ts).
create table observation (
  id bigint default nextval('observation_id_seq'),
  company_id bigint not null,
  source text not null,
  origin text not null constraint observation_origin_length check (char_length(origin) between 1 and 100),
  kind text not null constraint observation_kind_known check (kind in (
    'procurement_request', 'facility_expansion', 'funding_round', 'leadership_change', 'product_launch',
    'partnership', 'technology_use', 'job_posting', 'company_profile')),
  demand_class text not null,
  observed_fact text not null constraint observation_fact_length check (char_length(observed_fact) between 1 and 2000),
  why_it_may_matter text not null
    constraint observation_why_length check (char_length(why_it_may_matter) between 1 and 2000),
  country text not null constraint observation_country_known check (country in ('CA', 'US')),
  confidence double precision not null constraint observation_confidence_range check (confidence between 0 and 1),
  occurred_at timestamptz,
  observed_at timestamptz not null,
  expires_at timestamptz,
  categories text[] not null default '{}'
    constraint observation_categories_known check (categories <@ array[
      '11', '21', '22', '23', '31-33', '42', '44-45', '48-49', '51', '52', '53', '54', '55', '56', '61', '62', '71',
      '72', '81', '92'] and cardinality(categories) <= 100),
  first_operation_id bigint,
  recorded_at timestamptz not null
    constraint observation_recorded_whole_ms check (recorded_at = date_trunc('milliseconds', recorded_at)),
  withdrawn_at timestamptz,
  withdrawn_reason text,
  version bigint not null default 1,
  wording_key text,
  wording_occurred_at timestamptz,
  fact_hash bytea not null constraint observation_fact_hash_length check (octet_length(fact_hash) = 32),
  unverified_at timestamptz,
  unverified_reason text,
  take_down_id bigint,
  constraint observation_pkey primary key (id),
  constraint observation_demand_class_of_kind check (demand_class = case kind
    when 'procurement_request' then 'explicit_request' when 'company_profile' then 'structural' else 'proxy' end),
  constraint observation_dated check (occurred_at is not null or kind = 'company_profile'),
  constraint observation_withdrawn_with_reason check ((withdrawn_at is null) = (withdrawn_reason is null)),
  constraint observation_unverified_with_reason check ((unverified_at is null) = (unverified_reason is null)),
  constraint observation_taken_down_withdrawn check (take_down_id is null or withdrawn_at is not null)
) partition by range (id);
alter sequence observation_id_seq owned by observation.id;
comment on column observation.wording_key is 'key of the source record whose wording the observation has; null: its only record';
comment on column observation.wording_occurred_at is 'event date of the source record whose wording the observation has';
-- The order of look-ups: the demand classes sort as they rank.
create index observation_choice on observation (company_id, demand_class, occurred_at desc nulls last, id)
  where withdrawn_at is null;
create index observation_company_recorded on observation (company_id, recorded_at, id);
create index observation_recorded on observation (recorded_at);

create table observation_default partition of observation default with (fillfactor = 90);
create table observation_0 partition of observation
  for values from (minvalue) to (134217728) with (fillfactor = 90);

-- Unpartitioned: the key must be unique over all observations. Deferred: the key is inserted before
-- its observation. company_id: only if the record names another company than its observation.
create table source_record (
  source text not null,
  source_key text not null constraint source_record_key_length check (char_length(source_key) between 1 and 512),
  observation_id bigint not null constraint source_record_observation
    references observation (id) deferrable initially deferred,
  content_hash bytea not null constraint source_record_hash_length check (octet_length(content_hash) = 32),
  seen_at timestamptz not null,
  company_id bigint references company (id),
  primary key (source, source_key)
);
comment on column source_record.seen_at is 'latest occurrence of the record at its source';
create index source_record_by_observation on source_record (observation_id);

-- Each partition has its own key on `id`; a global one would have to contain the partition column.
-- VerifyRecord compares passage_hash.
create table evidence (
  id bigint generated always as identity,
  observation_id bigint not null,
  source_uri text not null
    constraint evidence_uri_scheme check (source_uri ~ '^https?://' and char_length(source_uri) <= 2048),
  excerpt text not null constraint evidence_excerpt_length check (char_length(excerpt) between 1 and 600),
  occurred_at timestamptz,
  observed_at timestamptz not null,
  last_seen_at timestamptz constraint evidence_seen_later check (last_seen_at > observed_at),
  withdrawn_at timestamptz,
  withdrawn_reason text,
  passage uuid not null generated always as (md5(source_uri || chr(10) || excerpt)::uuid) stored,
  source text not null,
  raw_record_hash bytea constraint evidence_raw_hash_length check (octet_length(raw_record_hash) = 32),
  text_hash bytea constraint evidence_text_hash_length check (octet_length(text_hash) = 32),
  extractor_version text
    constraint evidence_extractor_length check (char_length(extractor_version) between 1 and 100),
  passage_hash bytea not null constraint evidence_passage_hash_length check (octet_length(passage_hash) = 32),
  unverified_reason text,
  take_down_id bigint,
  constraint evidence_passage_key unique (observation_id, passage),
  constraint evidence_withdrawn_with_reason check ((withdrawn_at is null) = (withdrawn_reason is null)),
  constraint evidence_raw_record_whole
    check (num_nonnulls(raw_record_hash, text_hash, extractor_version) in (0, 3)),
  constraint evidence_taken_down_withdrawn check (take_down_id is null or withdrawn_at is not null)
) partition by range (observation_id);
create index evidence_kept on evidence (id) where raw_record_hash is not null;
create index evidence_raw_record on evidence (raw_record_hash) where raw_record_hash is not null;

create table evidence_default partition of evidence (primary key (id)) default with (fillfactor = 90);
create table evidence_0 partition of evidence (primary key (id))
  for values from (minvalue) to (134217728) with (fillfactor = 90);

create table domain_support (
  company_domain_id bigint not null,
  observation_id bigint not null,
  primary key (company_domain_id, observation_id)
);
create index domain_support_observation on domain_support (observation_id);

-- Records of several sources with the same key are the same event. Scheme `title`: a digest of day
-- and title.
create table event_key (
  scheme text not null constraint event_key_scheme_known
    check (scheme in ('solicitation', 'accession', 'permit', 'project', 'posting', 'title')),
  value text not null constraint event_key_value_length check (char_length(value) between 1 and 200),
  kind text not null,
  observation_id bigint not null,
  primary key (scheme, value, kind, observation_id)
);
create index event_key_observation on event_key (observation_id);

-- The latest record of a closing is in force. With company_id, only events of that company close.
create table closing (
  source text not null constraint closing_source_length check (char_length(source) between 1 and 100),
  source_key text not null constraint closing_key_length check (char_length(source_key) between 1 and 512),
  scheme text not null,
  value text not null,
  kind text not null,
  closed_at timestamptz not null,
  source_uri text not null
    constraint closing_uri_scheme check (source_uri ~ '^https?://' and char_length(source_uri) <= 2048),
  company_id bigint references company (id),
  primary key (source, source_key, scheme, value)
);
create index closing_event on closing (scheme, value, kind);

grant select, insert on observation, source_record, evidence, domain_support, event_key, closing to lookup;
grant update (observed_fact, why_it_may_matter, country, confidence, occurred_at, expires_at, categories,
  withdrawn_at, withdrawn_reason, version, wording_key, wording_occurred_at, fact_hash, unverified_at, unverified_reason, take_down_id)
  on observation to lookup;
grant usage on sequence observation_id_seq to lookup;
grant update (content_hash, seen_at) on source_record to lookup;
grant update (occurred_at, last_seen_at, withdrawn_at, withdrawn_reason, unverified_reason, take_down_id) on evidence to lookup;
grant delete on domain_support to lookup;
grant update (closed_at, source_uri, company_id) on closing to lookup;
grant delete on closing to lookup;

-- Statement triggers instead of foreign keys: one check per statement costs a third less than a
-- check and a row lock per row (decision 0014). This is safe because the service's role can delete
-- no referenced row.

-- The argument is the referencing column. Raises the error of a foreign key.
create function check_references() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  is_broken boolean;
  broken text := format('%s_%s_fkey', tg_table_name, tg_argv[0]);
begin
  case tg_argv[0]
    when 'company_id' then
      is_broken := exists (
        select from written w where not exists (select from public.company c where c.id = w.company_id));
    when 'observation_id' then
      is_broken := exists (
        select from written w where not exists (select from public.observation o where o.id = w.observation_id));
    when 'company_domain_id' then
      is_broken := exists (
        select from written w where not exists (select from public.company_domain d where d.id = w.company_domain_id));
  end case;
  if is_broken then
    raise foreign_key_violation using
      message = format('insert on table "%s" violates foreign key constraint "%s"', tg_table_name, broken),
      schema = 'public', table = tg_table_name, constraint = broken;
  end if;
  return null;
end $$;
create trigger observation_references after insert on observation referencing new table as written
  for each statement execute function check_references('company_id');
create trigger evidence_references after insert on evidence referencing new table as written
  for each statement execute function check_references('observation_id');
create trigger domain_support_references after insert on domain_support referencing new table as written
  for each statement execute function check_references('observation_id');
create trigger event_key_references after insert on event_key referencing new table as written
  for each statement execute function check_references('observation_id');
create trigger domain_support_domains after insert on domain_support referencing new table as written
  for each statement execute function check_references('company_domain_id');

-- Positions in the feed are valid in one history of one server. The epoch contains the timeline,
-- which changes when a standby is promoted or a recovery ends.
create table feed_epoch (
  only_row boolean primary key default true constraint feed_epoch_single check (only_row),
  epoch uuid not null default gen_random_uuid()
);
insert into feed_epoch default values;

create function current_timeline() returns integer
language sql volatile set search_path = pg_catalog
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;

create function feed_epoch() returns text
language sql stable set search_path = pg_catalog, public
begin atomic
  select e.epoch || '.' || c.system_identifier || '.' || current_timeline()
  from feed_epoch e cross join pg_control_system() c;
end;

-- Readers ask only below the oldest open transaction, so that late commits are not skipped.
-- Partitioned by seq: transaction numbers start again on another server.
create table change (
  tx xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  observation_id bigint,
  company_id bigint,
  -- Null: written on another server.
  timeline integer default current_timeline(),
  constraint change_pkey primary key (tx, seq),
  constraint change_of_one_thing check (num_nonnulls(observation_id, company_id) = 1)
) partition by range (seq);
create table change_default partition of change default;
create table change_0 partition of change for values from (minvalue) to (134217728);

-- Changes of another server may have transaction numbers that this one has not reached. They get an
-- old number, so that readers do not wait for them.
create function mark_foreign_changes_past(max_rows integer) returns bigint
language sql security definer set search_path = pg_catalog, public
begin atomic
  with foreign_change as (
    select tx, seq from change where tx >= pg_snapshot_xmax(pg_current_snapshot()) order by tx, seq limit max_rows
  ), settled as (
    update change c set tx = '3', timeline = null
    from foreign_change f where c.tx = f.tx and c.seq = f.seq
    returning 1
  )
  select count(*) from settled;
end;

-- Nothing is recorded at or before complete_until, even if the clock is set back.
create table completeness (
  only_row boolean primary key default true constraint completeness_single check (only_row),
  complete_until timestamptz not null
) with (fillfactor = 10);
insert into completeness (complete_until) values (date_trunc('milliseconds', clock_timestamp()));

grant select, update (epoch) on feed_epoch to lookup;
grant select, insert on change to lookup;
grant select, update on completeness to lookup;

-- migrate: include list-partitions.sql

-- The service's role may not create tables; it may call this. Partitions are created apart and
-- attached with a short lock timeout, because other sessions queue up at a waiting lock.
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
    select max(high::bigint) into bound from public.list_partitions(format('public.%I', partitioned)::regclass);
    while bound <= given + step loop
      -- In the lock order of writes. Ranges are skipped if the sequence has passed them, or if the
      -- default partition has rows of them.
      lock table public.company, public.observation in share row exclusive mode;
      execute format('select max(%I) from public.%I', number, partitioned || '_default') into strayed;
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

create table source (
  name text primary key constraint source_name_length check (char_length(name) between 1 and 100),
  title text not null constraint source_title_length check (char_length(title) between 1 and 200),
  publisher text not null constraint source_publisher_length check (char_length(publisher) between 1 and 200),
  licence text not null constraint source_licence_length check (char_length(licence) between 1 and 200),
  licence_uri text constraint source_licence_uri_scheme check (licence_uri ~ '^https?://'),
  attribution text not null constraint source_attribution_length check (char_length(attribution) between 1 and 1000),
  homepage text constraint source_homepage_scheme check (homepage ~ '^https?://'),
  read_at timestamptz
);

create table take_down (
  id bigint generated always as identity primary key,
  scope text not null
    constraint take_down_scope_known check (scope in ('source', 'licence', 'company', 'hostname', 'raw_record')),
  subject text not null constraint take_down_subject_length check (char_length(subject) between 1 and 300),
  reason text not null constraint take_down_reason_length check (char_length(reason) between 1 and 500),
  caller text not null,
  at timestamptz not null default clock_timestamp(),
  lifted_at timestamptz,
  lifted_reason text,
  constraint take_down_lifted_with_reason check ((lifted_at is null) = (lifted_reason is null))
);
create unique index take_down_active on take_down (scope, subject) where lifted_at is null;

-- evidence_id 0: the whole observation.
create table take_down_hit (
  take_down_id bigint not null references take_down (id),
  observation_id bigint not null references observation (id),
  evidence_id bigint not null default 0,
  primary key (take_down_id, observation_id, evidence_id)
);
create index take_down_hit_observation on take_down_hit (observation_id, evidence_id);

-- Rows of operators have a role and a reason; rows of programs have neither.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null constraint audit_action_known check (action in (
    'withdraw', 'restore', 'take_down', 'lift', 'merge', 'split', 'unverify', 'verify', 'register_source',
    'record_companies', 'record_evidence', 'record_closings', 'after_restore')),
  observation_id bigint,
  evidence_id bigint,
  reason text,
  company_id bigint,
  other_company_id bigint,
  take_down_id bigint,
  source text,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  detail jsonb not null default '{}',
  constraint audit_of_something
    check (num_nonnulls(observation_id, company_id, take_down_id, source) >= 1 or action = 'after_restore')
);

create table coverage (
  origin text not null,
  kind text not null,
  country text not null,
  -- Of the last seven days, by event date.
  week_count bigint not null constraint coverage_week_count_natural check (week_count >= 0),
  newest_at timestamptz,
  -- From the event to its record, over the last seven days.
  median_delay_s double precision,
  slow_delay_s double precision,
  constraint coverage_key primary key (origin, kind, country)
);
create table coverage_pass (
  only_row boolean primary key default true constraint coverage_pass_single check (only_row),
  taken_at timestamptz not null
) with (fillfactor = 10);
insert into coverage_pass (taken_at) values ('-infinity');

grant select, insert on source, take_down, take_down_hit, audit to lookup;
grant update (title, publisher, licence, licence_uri, attribution, homepage, read_at) on source to lookup;
grant update (lifted_at, lifted_reason) on take_down to lookup;
grant delete on take_down_hit to lookup;
grant select, insert, update on coverage to lookup;
grant select, update on coverage_pass to lookup;

-- migrate: include lease.sql
grant select, insert, update on lease to lookup;

-- migrate: include advance-sequences.sql

revoke execute on all functions in schema public from public;
grant execute on all functions in schema public to lookup;
