-- Sources, their runs and the raw records they brought. What follows from a raw record lives in lookup.

-- How an operator and the schedule left a source; a source without a row is as its connector says.
create table source_state (
  source text not null,
  enabled boolean,
  reason text not null default '',
  settings jsonb not null default '{}',
  watermark text,
  next_run_at timestamptz,
  fresh_at timestamptz,
  drift_at timestamptz,
  drift_missing text[] not null default '{}',
  -- Fields that its documents carried when they were last as expected.
  known_fields text[] not null default '{}',
  constraint source_state_key primary key (source)
);

create table source_run (
  id bigint generated always as identity,
  source text not null,
  trigger text not null,
  operation_id bigint,
  document text not null default '',
  state text not null default 'running',
  failure text not null default '',
  started_at timestamptz not null default now(),
  -- A run that is not heard of for a while has lost its process.
  heard_at timestamptz not null default now(),
  ended_at timestamptz,
  counts jsonb not null default '{}',
  constraint source_run_key primary key (id),
  constraint source_run_trigger check (trigger in ('schedule', 'manual', 'file', 'operation')),
  constraint source_run_state check (state in ('running', 'done', 'drift', 'failed', 'stopped')),
  constraint source_run_ended check ((state = 'running') = (ended_at is null))
);
create index source_run_newest on source_run (source, id desc);
create index source_run_running on source_run (heard_at) where state = 'running';
-- A source is fetched by one run at a time; files may be read meanwhile.
create unique index source_run_alone on source_run (source) where state = 'running' and trigger in ('schedule', 'manual');

-- Every version of a record that a source published, as published but for contact fields; never changed, or verification
-- would prove nothing.
create table raw_record (
  source text not null,
  hash bytea not null,
  key text not null,
  uri text not null,
  document_uri text not null,
  fetched_at timestamptz not null,
  last_seen_at timestamptz not null,
  content bytea not null,
  content_bytes integer not null,
  -- Names of the fields it carried, which the content alone may not tell.
  fields text[] not null,
  extractor_version integer not null,
  text_hash bytea,
  constraint raw_record_key primary key (source, hash),
  constraint raw_record_hash check (length(hash) = 32 and (text_hash is null or length(text_hash) = 32))
);
create index raw_record_of_source_key on raw_record (source, key);

-- What was fetched and read to its end, for conditional requests.
create table fetched_document (
  source text not null,
  uri text not null,
  etag text,
  last_modified text,
  fetched_at timestamptz not null,
  constraint fetched_document_key primary key (source, uri)
);

-- When a host may be asked next, over all processes.
create table host_pace (
  host text not null,
  next_at timestamptz not null,
  constraint host_pace_key primary key (host)
);

-- Calls that a source's budget has paid, a day.
create table source_budget (
  source text not null,
  day date not null,
  calls integer not null,
  constraint source_budget_key primary key (source, day)
);

-- Calls of operations: one that was sent is never sent again, whatever becomes of the attempt.
create table provider_call (
  operation_id bigint not null,
  source text not null,
  call text not null,
  fence bigint not null,
  state text not null default 'sent',
  sent_at timestamptz not null default now(),
  -- The answer until it is recorded.
  answer bytea,
  content_type text,
  failure text not null default '',
  tx numeric(20) not null default 0,
  fresh_observation_ids bigint[] not null default '{}',
  constraint provider_call_key primary key (operation_id, source, call),
  constraint provider_call_state check (state in ('sent', 'answered', 'recorded', 'failed', 'remembered'))
);
create index provider_call_sent_at on provider_call (sent_at);

-- What was asked lately, by whom: the same question is not asked again for a while.
create table asked (
  source text not null,
  call text not null,
  asked_at timestamptz not null default now(),
  state text not null default 'asking',
  tx numeric(20) not null default 0,
  constraint asked_key primary key (source, call),
  constraint asked_state check (state in ('asking', 'answered'))
);

create table audit (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  caller text not null,
  action text not null,
  details jsonb not null,
  constraint audit_key primary key (id)
);

grant select, insert, update, delete on source_state, source_run, fetched_document, host_pace, source_budget, provider_call, asked to acquisition;
grant select, insert on raw_record, audit to acquisition;
grant update (last_seen_at) on raw_record to acquisition;
grant select on migration to acquisition;
