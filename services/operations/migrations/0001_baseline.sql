-- Written before any unit is held (decision 0002). Contains no text except the input. Partitioned
-- by id, so that old rows are dropped with their partition. Lists in checks are one constant
-- because Postgres parses checks for every statement.
create sequence operation_id_seq;
create table operation (
  id bigint not null default nextval('operation_id_seq'),
  account_id bigint not null,
  action text not null,
  request_key text not null,
  fingerprint bytea not null,
  normal_form_version smallint not null,
  normal_form jsonb not null,
  subscription_id bigint not null,
  credential_id bigint not null,
  test_mode boolean not null,
  payment text not null,
  -- Held until the result is known.
  worst_case_units integer not null,
  created_at timestamptz not null default clock_timestamp(),
  -- First the end of waiting; once claimed, the end of all attempts.
  deadline_at timestamptz not null,
  started_at timestamptz,
  stored_at timestamptz,
  finished_at timestamptz,
  request_units integer not null default 0,
  delivered_units integer not null default 0,
  fresh_evidence_units integer not null default 0,
  failure_code text,
  failure_message text,
  -- Decides how long sources may be asked, in any process.
  background boolean not null default false,
  state text not null,
  -- Unique even if the sequence repeats after a restore.
  identity uuid not null default gen_random_uuid(),
  constraint operation_key primary key (id),
  constraint operation_action_known check (
    action = any ('{company_search,observation_search,company_lookup,observation_lookup,diagnostic}'::text[])),
  constraint operation_payment_known check (payment = any ('{hold,charge,none}'::text[])),
  constraint operation_state_known check (
    state = any ('{created,withdrawing,held,running,stored,delivered,failing,failed}'::text[])),
  constraint operation_fingerprint_length check (octet_length(fingerprint) = 32),
  constraint operation_failure_stored check (
    (failure_code is not null) = (state = any ('{failing,failed}'::text[]))),
  constraint operation_units_delivered check (
    request_units + delivered_units + fresh_evidence_units = 0 or state = 'delivered'),
  constraint operation_end_dated check ((finished_at is not null) = (state = any ('{delivered,failed}'::text[])))
) partition by range (id);
alter sequence operation_id_seq owned by operation.id;
-- For an account's list (decision 0008). No indexed column changes with the state, so that updates
-- stay HOT.
create index operation_listing on operation (account_id, action, created_at, id);
create index operation_failed on operation (account_id, action, created_at, id) where failure_code is not null;

create table plan (
  operation_id bigint primary key,
  planner text not null,
  retrieval text not null,
  plan jsonb not null,
  filters jsonb not null
) partition by range (operation_id);

-- For later pages and replays.
create table shortlist (
  operation_id bigint primary key,
  account_id bigint not null,
  page_fingerprint bytea not null,
  -- [{"company_id": n, "observation_ids": [n, n, n]}], best first.
  items jsonb not null,
  coverage jsonb not null,
  as_of timestamptz not null,
  expires_at timestamptz not null
) partition by range (operation_id);

-- References only.
create table result (
  operation_id bigint primary key,
  render_version smallint not null,
  items jsonb not null,
  details jsonb not null,
  settled_company_ids bigint[] not null,
  request_units integer not null,
  fresh_evidence_units integer not null,
  as_of timestamptz not null,
  -- Expiry is judged at this instant, also in replays.
  judged_at timestamptz not null,
  next_cursor text
) partition by range (operation_id);

-- Unpartitioned: keys are unique over all operations and outlive them. An operation and its key are
-- one statement, so that the first commit wins.
create table request_key (
  account_id bigint not null,
  action text not null,
  request_key_digest bytea not null,
  operation_id bigint not null,
  primary key (account_id, action, request_key_digest)
);
create unique index request_key_operation on request_key (operation_id);

-- Searches that were withdrawn because their process ended in the first second of the first
-- attempt. No caller knows of them; the next search with this key counts that attempt.
create table lost_attempt (
  account_id bigint not null,
  action text not null,
  request_key_digest bytea not null,
  lost_at timestamptz not null default clock_timestamp(),
  primary key (account_id, action, request_key_digest)
);

-- One row per unfinished operation, so that no index of `operation` contains its state. A `ready`
-- row may be claimed now; the sweeper checks any other at due_at. due_at is the end of the owner's
-- lease, or the time of the next attempt.
create table job (
  operation_id bigint primary key,
  fence bigint not null,
  attempts integer not null,
  owner text,
  due_at timestamptz not null,
  -- Trace context of the submission.
  traceparent text,
  publish_at timestamptz not null,
  publications integer not null default 0,
  -- Null until the sweeper has seen the row.
  account_id bigint,
  -- Workers take run, quarantine and (with a slot for runs that ask sources) sources; the sweeper
  -- takes step.
  queue text not null default 'step'
    constraint job_queue_known check (queue = any ('{step,run,quarantine,sources}'::text[])),
  ready boolean not null default false,
  -- Attempts of the sweeper; decide the next pause.
  tries integer not null default 0,
  -- Copy of operation.deadline_at.
  deadline_at timestamptz,
  -- The job's message in the stream, deleted when the job is claimed.
  message_sequence bigint,
  -- Consecutive attempts that failed because of another service.
  outages integer not null default 0,
  constraint job_ready_of_account check (not ready or account_id is not null)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index job_ready on job (queue, account_id, due_at) where ready;
create index job_later on job (due_at) where not ready;
create index job_deadline on job (deadline_at) where deadline_at is not null;
create index job_publishable on job (publish_at) where publish_at < 'infinity';

grant select on migration to operations;
grant select, insert, delete on operation, plan, shortlist, result, request_key, lost_attempt to operations;
grant update (deadline_at, started_at, stored_at, finished_at, request_units, delivered_units,
  fresh_evidence_units, failure_code, failure_message, state) on operation to operations;
grant usage, select on sequence operation_id_seq to operations;
grant select, insert, update, delete on job to operations;

create function copy_deadline() returns trigger language plpgsql as $$
begin
  update job set deadline_at = new.deadline_at
  where operation_id = new.id and deadline_at is distinct from new.deadline_at;
  return null;
end
$$;
create trigger operation_copies_deadline after update of deadline_at on operation
  for each row when (new.deadline_at is distinct from old.deadline_at and new.state in ('held', 'running'))
  execute function copy_deadline();

-- A trigger, because a foreign key would read and lock the operation for every row.
create function delete_operation_rows() returns trigger language plpgsql as $$
begin
  delete from job where operation_id = old.id;
  delete from result where operation_id = old.id;
  delete from shortlist where operation_id = old.id;
  delete from plan where operation_id = old.id;
  delete from request_key where operation_id = old.id;
  return null;
end
$$;
create trigger operation_deleted after delete on operation for each row execute function delete_operation_rows();

-- Sets the sequence above `up_to`, never back; true if it moved. The table lock keeps inserts from
-- taking a number meanwhile.
create function skip_operation_numbers(up_to bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public set lock_timeout = '3s'
as $$
begin
  if (select last_value + is_called::int > up_to from operation_id_seq) then
    return false;
  end if;
  lock table operation in share row exclusive mode;
  perform setval('operation_id_seq', up_to) from operation_id_seq where last_value <= up_to;
  return true;
end
$$;

-- Postgres 18.0 to 18.4 crashes if one statement locks rows that changed meanwhile and prunes
-- partitions (decision 0038). So functions lock jobs, each in a statement of its own.

create function lock_jobs(ids bigint[]) returns setof bigint
language plpgsql rows 10 as $$
begin
  return query
    select j.operation_id from public.job j where j.operation_id = any (ids) order by j.operation_id for update;
end
$$;

create function lock_free_jobs(ids bigint[]) returns setof job
language plpgsql rows 10 as $$
begin
  return query select * from public.job j where j.operation_id = any (ids) for update skip locked;
end
$$;

create function lock_ready_jobs(queue text, account_id bigint, max_rows bigint) returns setof bigint
language plpgsql rows 10 as $$
begin
  return query
    select j.operation_id from public.job j
    where j.ready and j.queue = lock_ready_jobs.queue and j.account_id = lock_ready_jobs.account_id
    order by j.due_at limit max_rows for update skip locked;
end
$$;

create function lock_due_jobs(max_rows bigint) returns setof job
language plpgsql rows 10 as $$
begin
  return query
    select * from public.job j where not j.ready and j.due_at <= clock_timestamp()
    order by j.due_at limit max_rows for update skip locked;
end
$$;

create function lock_late_jobs(max_rows bigint) returns setof job
language plpgsql rows 10 as $$
begin
  return query
    select * from public.job j where j.deadline_at <= clock_timestamp()
    order by j.deadline_at limit max_rows for update skip locked;
end
$$;

-- The service's role may not create or drop tables; it may call these functions.

-- migrate: include list-partitions.sql
create view operation_partition as
select name, high::bigint - 1 as last_number from list_partitions('operation');
grant select on operation_partition to operations;

-- Created apart and then attached, so that no call waits.
create function create_operation_partition(multiple bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' as $$
declare
  name text;
  key text;
begin
  foreach name in array array['operation', 'result', 'shortlist', 'plan'] loop
    key := case name when 'operation' then 'id' else 'operation_id' end;
    execute format('create table public.%1$s_%2$s (like public.%1$s including defaults including constraints including storage,
      primary key (%3$s), check (%3$s >= %4$s and %3$s < %5$s))', name, multiple, key, multiple << 24, (multiple + 1) << 24);
    if name = 'operation' then
      execute format('alter table public.operation_%s set (fillfactor = 80)', multiple);
    end if;
    execute format('alter table public.%1$s attach partition public.%1$s_%2$s for values from (%3$s) to (%4$s)',
      name, multiple, multiple << 24, (multiple + 1) << 24);
  end loop;
end
$$;

create function prepare_operation_partitions(from_number bigint default 0) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  reached bigint := greatest(from_number, (select last_value from public.operation_id_seq));
  last bigint;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  last := (select coalesce(max(last_number), -1) from public.operation_partition);
  while last < reached + (2 << 24) loop
    last := greatest((last + 1) >> 24, reached >> 24);
    perform public.create_operation_partition(last);
    last := ((last + 1) << 24) - 1;
  end loop;
end
$$;

-- No partition spans more than a month: a new month continues in the next one.
-- Must be a statement after the one that creates partitions: sequences change for everyone at once,
-- tables at commit.
create function begin_operation_month() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '3s' as $$
declare
  present public.operation_partition;
  began timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  select * into present from public.operation_partition
  where last_number >= (select last_value from public.operation_id_seq) order by last_number limit 1;
  execute format('select created_at from public.%I order by id limit 1', present.name) into began;
  if began is null or began >= date_trunc('month', clock_timestamp(), 'UTC')
    or not exists (select from public.operation_partition where last_number = present.last_number + (1 << 24)) then
    return;
  end if;
  -- No insert may take a number meanwhile.
  lock table public.operation in share row exclusive mode;
  perform setval('public.operation_id_seq', present.last_number + 1, false)
  from public.operation_id_seq where last_value <= present.last_number;
end
$$;

-- Creates the partitions that a backup needs and this database lacks.
create function restore_partitions(partitions jsonb) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted bigint;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  for wanted in
    select distinct multiple
    from jsonb_to_recordset(partitions) p ("table" text, "from" text, "to" text)
    cross join lateral generate_series(p."from"::bigint >> 24, (p."to"::bigint - 1) >> 24) multiple
    where p."table" = 'operation'
    order by multiple
  loop
    continue when to_regclass(format('public.operation_%s', wanted)) is not null;
    perform public.create_operation_partition(wanted);
    made := made + 1;
  end loop;
  return made;
end
$$;

-- Has a short lock timeout, because other sessions queue up at a waiting lock.
create function drop_operation_partitions(older_than timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  past public.operation_partition;
  newest timestamptz;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  for past in
    select * from public.operation_partition where last_number < (select last_value from public.operation_id_seq) order by last_number
  loop
    execute format('select created_at from public.%I order by id desc limit 1', past.name) into newest;
    exit when newest >= older_than or exists (select from public.job where operation_id <= past.last_number);
    execute format('drop table public.%I, public.%I, public.%I, public.%I', past.name, replace(past.name, 'operation', 'result'),
      replace(past.name, 'operation', 'shortlist'), replace(past.name, 'operation', 'plan'));
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

select prepare_operation_partitions();

-- Limits diagnostics, because each leaves an operation.
create table diagnostics_asked (
  account_id bigint primary key,
  hour timestamptz not null,
  count integer not null
) with (fillfactor = 50);

-- Kept for the next leader: compares new operations first, then backwards to the oldest, and again.
create table reconciliation (
  only_row boolean primary key default true constraint reconciliation_single check (only_row),
  -- Highest compared number.
  newest bigint,
  -- Everything from here to `newest` was compared in this round.
  back_to bigint,
  -- Last pass that read both sides completely.
  passed_at timestamptz,
  -- A range below `back_to` that is only partly compared; null: none.
  stretch_from bigint,
  compared_to bigint
);
insert into reconciliation default values;

-- Unfinished or different when compared; compared again in every pass.
create table reconciliation_open (
  operation_id bigint primary key,
  compared_at timestamptz not null default clock_timestamp(),
  differences text[] not null
);

-- Rows of operators have a role and a reason; rows of programs have neither.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null constraint audit_action_known check (action in ('show', 'requeue', 'reconcile', 'after_restore')),
  operation_id bigint,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  reason text constraint audit_reason_length check (char_length(reason) <= 500),
  detail jsonb not null default '{}',
  constraint audit_of_an_operation check (operation_id is not null or action in ('reconcile', 'after_restore'))
);

-- migrate: include lease.sql

grant select, insert, update on diagnostics_asked, lease to operations;
grant select, update on reconciliation to operations;
grant select, insert, update, delete on reconciliation_open to operations;
grant select, insert on audit to operations;

revoke execute on all functions in schema public from public;
grant execute on all functions in schema public to operations;
revoke execute on function create_operation_partition(bigint), restore_partitions(jsonb) from operations;
