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
create index source_run_newest_planned on source_run (source, id desc) where trigger <> 'operation';
create index source_run_of_operation on source_run (id) where trigger = 'operation';
create index source_run_running on source_run (heard_at) where state = 'running';
-- A source is fetched by one run at a time; files may be read meanwhile.
create unique index source_run_alone on source_run (source) where state = 'running' and trigger in ('schedule', 'manual');

-- What raw records are known by over all months, which a partitioned table cannot say. It also takes when a record was last
-- seen, so that months that are over are never written again.
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

-- Every version of a record that a source published, as published but for contact fields; never changed, or verification
-- would prove nothing. Partitioned by the month in which it was fetched.
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
  constraint raw_record_key unique (source, hash, fetched_at),
  constraint raw_record_hash check (length(hash) = 32 and (text_hash is null or length(text_hash) = 32))
) partition by range (fetched_at);
create index raw_record_of_source_key on raw_record (source, key);

-- Rows that no partition has been made for go to this one, so that a write never fails for want of one.
create table raw_record_beyond partition of raw_record default;

-- The first partition takes all until the month after the next.
create table raw_record_first (
  like raw_record including defaults including constraints including storage,
  constraint raw_record_first_key unique (source, hash, fetched_at)
);
create index raw_record_first_of_source_key on raw_record_first (source, key);
do $$
begin
  execute format('alter table raw_record attach partition raw_record_first for values from (minvalue) to (%L)',
    (date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc');
end $$;

-- A record that is kept already is not kept again, whoever writes it.
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
  -- When the newest slot was reserved: where that lies ahead, the clock was set back since by at least as much.
  reserved_at timestamptz not null default clock_timestamp(),
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
  constraint provider_call_state check (state in ('sent', 'answered', 'recorded', 'failed', 'cached'))
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

-- Who made a change, and why: an operator has a name, a role and a reason. Rows without a role are of programs.
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

-- Which process does what one of many does, and until when by the clock of this database (decision 0006). An update every
-- few seconds; as no indexed column changes and pages have room, it stays in its page.
create table lease (
  name text not null,
  holder text not null,
  -- Raised by every taking: a higher one has seen all that a lower one did.
  fence bigint not null,
  until timestamptz not null,
  constraint lease_key primary key (name)
) with (fillfactor = 50);

grant select on migration to acquisition;
grant select, insert, update, delete on source_state, source_run, fetched_document, host_pace, source_budget, provider_call, asked to acquisition;
grant select, insert on raw_record, kept_record, kept_count, audit to acquisition;
grant update (last_seen_at) on raw_record, kept_record to acquisition;
grant update (records) on kept_count to acquisition;
grant select, insert, update on lease to acquisition;

-- Makes the partitions of this month and the two that follow, and says how many days are left before rows would go where no
-- partition was made for them. The role of the service may not create tables; it may ask for exactly this. Each is made apart
-- and attached; who uses the last partition meanwhile is waited for only so long, since all others would wait behind it. A
-- month of which rows came first stays with them. The last partition's name is looked for first: a pass reads the bounds of
-- all, of which years make dozens, only where one is to be made.
create function create_partitions() returns table (partitioned text, days_left double precision)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  month timestamptz;
  bound timestamptz;
  name text;
begin
  partitioned := 'raw_record';
  bound := date_trunc('month', now()) + interval '3 months';
  if to_regclass('public.' || to_char(bound - interval '1 month', '"raw_record_"YYYY_MM')) is not null then
    days_left := extract(epoch from bound - now()) / 86400;
    return next;
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('partition'));
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from $b$TO \('(.*?)'\)$b$)::timestamptz) into bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'public.raw_record'::regclass;
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', interval '1 month')
  loop
    name := to_char(month, '"raw_record_"YYYY_MM');
    continue when month < bound or to_regclass('public.' || name) is not null
      or exists (select 1 from public.raw_record_beyond where fetched_at >= month and fetched_at < month + interval '1 month');
    execute format('create table public.%I (like public.raw_record including defaults including constraints including storage)', name);
    execute format('alter table public.raw_record attach partition public.%I for values from (%L) to (%L)',
      name, month, month + interval '1 month');
    bound := month + interval '1 month';
  end loop;
  days_left := extract(epoch from bound - now()) / 86400;
  return next;
end $$;
revoke all on function create_partitions() from public;
grant execute on function create_partitions() to acquisition;

-- After a restore: numbers that were given since, and that a client or another service may know, are never given again. Each
-- sequence skips as many as no loss will have reached, a partition's worth.
create function advance_sequences() returns integer
language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  numbering record;
  skipped integer := 0;
begin
  for numbering in
    select format('%I.%I', schemaname, sequencename)::regclass as id, coalesce(last_value, 0) as last
    from pg_sequences
    where schemaname = 'public' and data_type = 'bigint'::regtype
  loop
    perform setval(numbering.id, numbering.last + 16777216);
    skipped := skipped + 1;
  end loop;
  return skipped;
end $$;
revoke all on function advance_sequences() from public;
grant execute on function advance_sequences() to acquisition;
