-- What makes records of several sources the same event, and what closed one.

-- value is normalised (deduplication/event-key.ts); the scheme title holds a digest of day and title.
create table event_key (
  scheme text not null constraint event_key_scheme_known
    check (scheme in ('solicitation', 'accession', 'permit', 'project', 'posting', 'title')),
  value text not null constraint event_key_value_length check (char_length(value) between 1 and 200),
  kind text not null,
  observation_id bigint not null references observation (id),
  primary key (scheme, value, kind, observation_id)
);
create index event_key_observation on event_key (observation_id);

-- The latest record of a closing holds. A number that is unique only for its issuer closes for company_id only.
create table closing (
  source text not null constraint closing_source_length check (char_length(source) between 1 and 100),
  key text not null constraint closing_key_length check (char_length(key) between 1 and 512),
  scheme text not null,
  value text not null,
  kind text not null,
  closed_at timestamptz not null,
  source_uri text not null
    constraint closing_uri_scheme check (source_uri ~ '^https?://' and char_length(source_uri) <= 2048),
  company_id bigint references company (id),
  primary key (source, key, scheme, value)
);
create index closing_event on closing (scheme, value, kind);

-- Which record of its source an observation has the wording of, and the event date of that record; null: its only one.
alter table observation add column told_by text, add column told_at timestamptz;
-- The company a record names itself, when that is not the observation's.
alter table source_record add column company_id bigint references company (id);

grant update (told_by, told_at) on observation to lookup;
grant select, insert on event_key, closing to lookup;
grant update (closed_at, source_uri, company_id) on closing to lookup;
grant delete on closing to lookup;
