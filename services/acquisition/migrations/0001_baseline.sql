-- A source without a row has its connector's defaults.
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
  -- To notice fields that disappear.
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
  -- A running row with an old heartbeat_at has lost its process.
  heartbeat_at timestamptz not null default now(),
  ended_at timestamptz,
  counts jsonb not null default '{}',
  constraint source_run_key primary key (id),
  constraint source_run_trigger check (trigger in ('schedule', 'manual', 'file', 'operation')),
  constraint source_run_state check (state in ('running', 'done', 'drift', 'failed', 'stopped')),
  constraint source_run_ended check ((state = 'running') = (ended_at is null))
);
create index source_run_newest on source_run (source, id desc);
create index source_run_newest_planned on source_run (source, id desc) where trigger <> 'operation';
create index source_run_of_operation on source_run (id) where trigger = 'operation';
create index source_run_running on source_run (heartbeat_at) where state = 'running';
-- Only one run fetches a source at a time; files may be imported meanwhile.
create unique index source_run_alone on source_run (source) where state = 'running' and trigger in ('schedule', 'manual');

-- Unique over all months, which a partitioned table cannot be. It also keeps last_seen_at, so that
-- past months are not written again.
create table kept_record (
  source text not null,
  hash bytea not null,
  fetched_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint kept_record_key primary key (source, hash)
) with (fillfactor = 80);

create table kept_count (
  source text not null,
  records bigint not null,
  constraint kept_count_key primary key (source)
) with (fillfactor = 50);

-- As published, except contact fields. Never changed: verification compares it. Partitioned by
-- month.
create table raw_record (
  source text not null,
  hash bytea not null,
  source_key text not null,
  uri text not null,
  document_uri text not null,
  fetched_at timestamptz not null,
  last_seen_at timestamptz not null,
  content bytea not null,
  content_bytes integer not null,
  fields text[] not null,
  extractor_version integer not null,
  text_hash bytea,
  constraint raw_record_key unique (source, hash, fetched_at),
  constraint raw_record_hash check (length(hash) = 32 and (text_hash is null or length(text_hash) = 32))
) partition by range (fetched_at);
create index raw_record_of_source_key on raw_record (source, source_key);

-- Accepts rows that have no partition yet, so that writes do not fail.
create table raw_record_default partition of raw_record default;

create function keep_record_once() returns trigger language plpgsql as $$
begin
  insert into kept_record (source, hash, fetched_at, last_seen_at)
  values (new.source, new.hash, new.fetched_at, new.last_seen_at)
  on conflict on constraint kept_record_key do nothing;
  return case when found then new end;
end
$$;
create trigger raw_record_once before insert on raw_record for each row execute function keep_record_once();

create function count_kept_records() returns trigger language plpgsql as $$
begin
  insert into kept_count (source, records) select source, count(*) from added group by source order by source
  on conflict on constraint kept_count_key do update set records = kept_count.records + excluded.records;
  return null;
end
$$;
create trigger raw_record_counted after insert on raw_record
  referencing new table as added for each statement execute function count_kept_records();

-- For conditional requests.
create table fetched_document (
  source text not null,
  uri text not null,
  etag text,
  last_modified text,
  fetched_at timestamptz not null,
  constraint fetched_document_key primary key (source, uri)
);

-- Shared by all processes.
create table host_pace (
  host text not null,
  next_at timestamptz not null,
  -- A time in the future means that the clock was set back.
  reserved_at timestamptz not null default clock_timestamp(),
  constraint host_pace_key primary key (host)
);

create table source_budget (
  source text not null,
  day date not null,
  calls integer not null,
  constraint source_budget_key primary key (source, day)
);

-- A call that was sent is never sent again: its outcome may be unknown.
create table provider_call (
  operation_id bigint not null,
  source text not null,
  call text not null,
  fence bigint not null,
  state text not null default 'sent',
  sent_at timestamptz not null default now(),
  -- Until it is recorded.
  answer bytea,
  content_type text,
  failure text not null default '',
  tx numeric(20) not null default 0,
  fresh_observation_ids bigint[] not null default '{}',
  constraint provider_call_key primary key (operation_id, source, call),
  constraint provider_call_state check (state in ('sent', 'answered', 'recorded', 'failed', 'cached'))
);
create index provider_call_sent_at on provider_call (sent_at);

-- The same question is not asked again for a while.
create table source_question (
  source text not null,
  call text not null,
  asked_at timestamptz not null default now(),
  state text not null default 'asking',
  tx numeric(20) not null default 0,
  constraint source_question_key primary key (source, call),
  constraint source_question_state check (state in ('asking', 'answered'))
);

-- Rows of operators have a role and a reason; rows of programs have neither.
create table audit (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  caller text not null,
  action text not null,
  details jsonb not null,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  reason text constraint audit_reason_length check (char_length(reason) <= 500),
  constraint audit_key primary key (id)
);

-- migrate: include lease.sql

grant select on migration to acquisition;
grant select, insert, update, delete on source_state, source_run, fetched_document, host_pace, source_budget, provider_call, source_question to acquisition;
grant select, insert on raw_record, kept_record, kept_count, audit to acquisition;
grant update (last_seen_at) on raw_record, kept_record to acquisition;
grant update (records) on kept_count to acquisition;
grant select, insert, update on lease to acquisition;

-- migrate: include list-partitions.sql

-- The service's role may not create tables; it may call this. Partitions are created apart and
-- attached with a short lock timeout, because other sessions queue up at a waiting lock. A month
-- with rows in raw_record_default keeps them there.
create function create_partitions() returns table (partitioned text, days_left double precision)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  month timestamptz;
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('partition'));
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', interval '1 month')
  loop
    name := to_char(month, '"raw_record_"YYYY_MM');
    continue when to_regclass('public.' || name) is not null
      or exists (select 1 from public.raw_record_default where fetched_at >= month and fetched_at < month + interval '1 month');
    execute format('create table public.%I (like public.raw_record including defaults including constraints including storage)', name);
    execute format('alter table public.raw_record attach partition public.%I for values from (%L) to (%L)',
      name, month, month + interval '1 month');
  end loop;
  return query
  select 'raw_record', extract(epoch from max(p.high::timestamptz) - now())::double precision / 86400
  from public.list_partitions('public.raw_record') p;
end $$;
select create_partitions();

-- migrate: include advance-sequences.sql

revoke execute on all functions in schema public from public;
grant execute on all functions in schema public to acquisition;
