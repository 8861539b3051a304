-- Where each piece of evidence was taken from, what the record held when it was written, licences, take-downs.

-- fact_hash and passage_hash are taken when a row is written and compared by VerifyRecord (db/record-hash.ts).
alter table observation
  add column fact_hash bytea constraint observation_fact_hash_length check (octet_length(fact_hash) = 32),
  add column unverified_at timestamptz,
  add column unverified_reason text,
  add column take_down_id bigint,
  add constraint observation_unverified_with_reason check ((unverified_at is null) = (unverified_reason is null)),
  add constraint observation_taken_down_withdrawn check (take_down_id is null or withdrawn_at is not null);

alter table evidence
  add column source text,
  add column raw_record_hash bytea constraint evidence_raw_hash_length check (octet_length(raw_record_hash) = 32),
  add column text_hash bytea constraint evidence_text_hash_length check (octet_length(text_hash) = 32),
  add column extractor_version text
    constraint evidence_extractor_length check (char_length(extractor_version) between 1 and 100),
  add column passage_hash bytea constraint evidence_passage_hash_length check (octet_length(passage_hash) = 32),
  add column unverified_reason text,
  add column take_down_id bigint,
  add constraint evidence_raw_record_whole
    check (num_nonnulls(raw_record_hash, text_hash, extractor_version) in (0, 3)),
  add constraint evidence_taken_down_withdrawn check (take_down_id is null or withdrawn_at is not null);
create index evidence_raw_record on evidence (raw_record_hash) where raw_record_hash is not null;
create index evidence_kept on evidence (id) where raw_record_hash is not null;

update evidence e set source = o.source,
       passage_hash = sha256(convert_to(jsonb_build_array(e.source_uri, e.excerpt)::text, 'UTF8'))
  from observation o where o.id = e.observation_id;
alter table evidence alter column source set not null, alter column passage_hash set not null;

update observation o
   set fact_hash = sha256(convert_to(jsonb_build_array(o.kind, o.observed_fact, o.why_it_may_matter, o.country,
         extract(epoch from o.occurred_at), o.categories)::text, 'UTF8'));
alter table observation alter column fact_hash set not null;

create table source (
  name text primary key constraint source_name_length check (char_length(name) between 1 and 100),
  title text not null constraint source_title_length check (char_length(title) between 1 and 200),
  publisher text not null constraint source_publisher_length check (char_length(publisher) between 1 and 200),
  licence text not null constraint source_licence_length check (char_length(licence) between 1 and 200),
  licence_uri text constraint source_licence_uri_scheme check (licence_uri ~ '^https?://'),
  attribution text not null constraint source_attribution_length check (char_length(attribution) between 1 and 1000),
  homepage text constraint source_homepage_scheme check (homepage ~ '^https?://')
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
create unique index take_down_standing on take_down (scope, subject) where lifted_at is null;

-- What a take-down hit, withdrawn by it or by something before. evidence_id 0: the whole observation.
create table taken_down (
  take_down_id bigint not null references take_down (id),
  observation_id bigint not null references observation (id),
  evidence_id bigint not null default 0,
  primary key (take_down_id, observation_id, evidence_id)
);
create index taken_down_observation on taken_down (observation_id, evidence_id);

grant select, insert on source, take_down, taken_down to lookup;
grant update (title, publisher, licence, licence_uri, attribution, homepage) on source to lookup;
grant update (lifted_at, lifted_reason) on take_down to lookup;
grant delete on taken_down to lookup;
grant update (fact_hash, unverified_at, unverified_reason, take_down_id) on observation to lookup;
grant update (unverified_reason, take_down_id) on evidence to lookup;
