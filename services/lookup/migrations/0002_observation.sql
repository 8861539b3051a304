-- Dated facts about companies and the passages that support them.

create sequence observation_id_seq as bigint;

-- recorded_at is chosen under the commit-order lock and grows strictly from commit to commit, in whole milliseconds,
-- so that what a subscriber is shown of it is exact (db/commit-order.ts).
create table observation (
  id bigint primary key default nextval('observation_id_seq'),
  company_id bigint not null references company (id),
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
  constraint observation_demand_class_of_kind check (demand_class = case kind
    when 'procurement_request' then 'explicit_request' when 'company_profile' then 'structural' else 'proxy' end),
  constraint observation_dated check (occurred_at is not null or kind = 'company_profile'),
  constraint observation_withdrawn_with_reason check ((withdrawn_at is null) = (withdrawn_reason is null))
) with (fillfactor = 90);
alter sequence observation_id_seq owned by observation.id;

-- The order in which look-ups choose; explicit_request, proxy, structural happen to sort as they rank.
create index observation_choice on observation (company_id, demand_class, occurred_at desc nulls last, id)
  where withdrawn_at is null;
create index observation_company_recorded on observation (company_id, recorded_at, id);
create index observation_recorded on observation (recorded_at);

-- Identity of what a source reported. Unpartitioned, so that it can hold the key whatever becomes of observation.
-- seen_at is the latest occurrence; the key is claimed before its observation is written, hence deferred.
create table source_record (
  source text not null,
  key text not null constraint source_record_key_length check (char_length(key) between 1 and 512),
  observation_id bigint not null constraint source_record_observation
    references observation (id) deferrable initially deferred,
  content_hash bytea not null constraint source_record_hash_length check (octet_length(content_hash) = 32),
  seen_at timestamptz not null,
  primary key (source, key)
);
create index source_record_by_observation on source_record (observation_id);

create table evidence (
  id bigint generated always as identity primary key,
  observation_id bigint not null references observation (id),
  source_uri text not null
    constraint evidence_uri_scheme check (source_uri ~ '^https?://' and char_length(source_uri) <= 2048),
  excerpt text not null constraint evidence_excerpt_length check (char_length(excerpt) between 1 and 600),
  occurred_at timestamptz,
  observed_at timestamptz not null,
  last_seen_at timestamptz constraint evidence_seen_later check (last_seen_at > observed_at),
  withdrawn_at timestamptz,
  withdrawn_reason text,
  passage uuid not null generated always as (md5(source_uri || chr(10) || excerpt)::uuid) stored,
  constraint evidence_passage unique (observation_id, passage),
  constraint evidence_withdrawn_with_reason check ((withdrawn_at is null) = (withdrawn_reason is null))
) with (fillfactor = 90);

-- Which observation supports which domain of its company.
create table domain_support (
  company_domain_id bigint not null references company_domain (id),
  observation_id bigint not null references observation (id),
  primary key (company_domain_id, observation_id)
);
create index domain_support_observation on domain_support (observation_id);

grant select, insert on observation, source_record, evidence, domain_support to lookup;
grant update (observed_fact, why_it_may_matter, country, confidence, occurred_at, expires_at, categories,
  withdrawn_at, withdrawn_reason, version) on observation to lookup;
grant update (content_hash, seen_at) on source_record to lookup;
grant update (occurred_at, last_seen_at, withdrawn_at, withdrawn_reason) on evidence to lookup;
grant delete on domain_support to lookup;
grant usage on sequence observation_id_seq to lookup;
