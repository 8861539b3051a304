-- Operations: their states, their work, what they froze, and the comparison with the ledger.

-- One row an operation, durable before any unit is held (decision 0002). Texts are never stored beside the input itself. Partitioned by
-- number, so that what is old goes with its partition. A list of words in a check is one constant: checks are read again for every
-- statement that writes.
create sequence operation_id_seq;
create table operation (
  id bigint not null default nextval('operation_id_seq'),
  account_id bigint not null,
  action text not null,
  request_key text not null,
  fingerprint bytea not null,
  normal_form_version smallint not null,
  normal_form jsonb,
  subscription_id bigint not null,
  credential_id bigint not null,
  test_mode boolean not null,
  payment text not null,
  -- Delivered units that are held until the result is known.
  worst_case_units integer not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The end of waiting while nobody has claimed it, then the end of all attempts.
  deadline_at timestamptz not null,
  started_at timestamptz,
  stored_at timestamptz,
  finished_at timestamptz,
  request_units integer not null default 0,
  delivered_units integer not null default 0,
  fresh_evidence_units integer not null default 0,
  failure_code text,
  failure_message text,
  -- How it was accepted: this decides how long sources may be asked for it, whoever runs it.
  background boolean not null default false,
  -- One whose submitter was refused is withdrawing: the ledger is asked to hold nothing for it, then the row goes.
  state text not null,
  -- Given to no other operation, whatever becomes of the sequence that numbers them.
  identity uuid not null default gen_random_uuid(),
  constraint operation_key primary key (id),
  constraint operation_action_known check (
    action = any ('{company_search,observation_search,company_lookup,observation_lookup,diagnostic}'::text[])),
  constraint operation_payment_known check (payment = any ('{hold,charge,none}'::text[])),
  constraint operation_state_known check (
    state = any ('{created,withdrawing,held,running,stored,delivered,failing,failed,retired}'::text[])),
  constraint operation_fingerprint_length check (octet_length(fingerprint) = 32),
  constraint operation_input_kept check ((normal_form is null) = (state = 'retired')),
  constraint operation_failure_stored check (
    (failure_code is not null) = (state = any ('{failing,failed}'::text[])) or state = 'retired'),
  constraint operation_units_delivered check (
    request_units + delivered_units + fresh_evidence_units = 0 or state = any ('{delivered,retired}'::text[])),
  constraint operation_end_dated check ((finished_at is not null) = (state = any ('{delivered,failed,retired}'::text[])))
) partition by range (id);
alter sequence operation_id_seq owned by operation.id;
-- For an account's own list (decision 0008): newest accepted first, of an action; and the same of those that failed, few among many.
-- Nothing in the first ever changes, so that changes of state stay heap-only updates.
create index operation_listing on operation (account_id, action, created_at, id);
create index operation_failed on operation (account_id, action, created_at, id) where failure_code is not null;

-- What was decided before searching, frozen with the result.
create table plan (
  operation_id bigint primary key,
  planner text not null,
  retrieval text not null,
  plan jsonb not null,
  filters jsonb not null
) partition by range (operation_id);

-- The ordered shortlist of a company search, for its later pages and its replays.
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

-- What was delivered, as references.
create table result (
  operation_id bigint primary key,
  render_version smallint not null,
  items jsonb not null,
  details jsonb not null,
  settled_company_ids bigint[] not null,
  request_units integer not null,
  fresh_evidence_units integer not null,
  as_of timestamptz not null,
  -- The instant at which expiry was judged, and is for every replay.
  judged_at timestamptz not null,
  next_cursor text
) partition by range (operation_id);

-- Request keys, as digests: a partitioned table cannot keep them unique, and they outlive their operations. The statement that writes an
-- operation takes its key: of calls with one key the first to commit has it.
create table request_key (
  account_id bigint not null,
  action text not null,
  key_digest bytea not null,
  operation_id bigint not null,
  primary key (account_id, action, key_digest)
);
create unique index request_key_operation on request_key (operation_id);

-- Keys of searches whose process ended in the first second of their first attempt, or may have. No caller was told of such a search, so it is
-- withdrawn and its row is gone; the next one with its key begins with that attempt behind it.
create table lost_attempt (
  account_id bigint not null,
  action text not null,
  key_digest bytea not null,
  lost_at timestamptz not null default clock_timestamp(),
  primary key (account_id, action, key_digest)
);

-- Every operation that has not ended has a row here, which says what it waits for, so that no index of `operation` needs its state. A
-- `ready` row may be taken now, and is in the queue of its account; every other is looked at again at due_at, when its operation
-- says which queue it belongs to. due_at is from when anybody may claim it: the end of the lease while there is an owner, the next
-- attempt while there is none. The row ends with the work; fence numbers its claims.
create table job (
  operation_id bigint primary key,
  fence bigint not null,
  attempts integer not null,
  owner text,
  due_at timestamptz not null,
  -- The trace in which the operation was accepted: messages and workers go on in it.
  traceparent text,
  -- When its message may be published (again), and how often it was.
  publish_at timestamptz not null,
  publications integer not null default 0,
  -- Null until the row is first looked at.
  account_id bigint,
  -- run, quarantine: for a worker; sources: for a worker with a slot for runs that ask sources; step: for the sweeper.
  queue text not null default 'step'
    constraint job_queue_known check (queue = any ('{step,run,quarantine,sources}'::text[])),
  ready boolean not null default false,
  -- Takes of the sweeper: how long the next pause is.
  tries integer not null default 0,
  -- A copy of the operation's, of what waits to run or runs.
  deadline_at timestamptz,
  -- Which message of the stream tells of a job that waits: one a job, taken out when it is claimed.
  message_sequence bigint,
  -- Attempts one after the other that another service ended.
  outages integer not null default 0,
  constraint job_ready_of_account check (not ready or account_id is not null)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index job_ready on job (queue, account_id, due_at) where ready;
create index job_later on job (due_at) where not ready;
create index job_deadline on job (deadline_at) where deadline_at is not null;
-- Of jobs whose message is to be published some time. Those of look-ups and of what is to be settled are not.
create index job_publishable on job (publish_at) where publish_at < 'infinity';

grant select on migration to operations;
grant select, insert, delete on operation, plan, shortlist, result, request_key, lost_attempt to operations;
grant update (normal_form, deadline_at, started_at, stored_at, finished_at, request_units, delivered_units,
  fresh_evidence_units, failure_code, failure_message, state) on operation to operations;
grant usage, select on sequence operation_id_seq to operations;
grant select, insert, update, delete on job to operations;

-- A deadline that is moved by hand is copied.
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

-- Nothing of an operation outlives it, but for the key of one that is deleted because it is old. What it froze goes by this trigger: a
-- foreign key would read and lock the operation again for every row.
create function forget_operation() returns trigger language plpgsql as $$
begin
  delete from job where operation_id = old.id;
  delete from result where operation_id = old.id;
  delete from shortlist where operation_id = old.id;
  delete from plan where operation_id = old.id;
  if current_setting('ces.retiring', true) is distinct from 'on' then
    delete from request_key where operation_id = old.id;
  end if;
  return null;
end
$$;
create trigger operation_forgotten after delete on operation for each row execute function forget_operation();

-- Moves the numbering of operations on, never back: `up_to` and all below it are given to no operation from now on. True when it
-- was behind. What inserts an operation takes its number under a lock of the table, so none is given between look and move.
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
revoke all on function skip_operation_numbers(bigint) from public;
grant execute on function skip_operation_numbers(bigint) to operations;

-- Jobs are locked by functions, each a statement of its own. Where a statement locks rows itself, finds one changed meanwhile and prunes
-- partitions as it runs, Postgres 18 up to 18.4 reads freed memory, and its server ends with every connection (decision 0038).

-- Locks jobs in the order of their numbers, waiting for each.
create function lock_jobs(ids bigint[]) returns setof bigint
language plpgsql rows 10 as $$
begin
  return query
    select j.operation_id from public.job j where j.operation_id = any (ids) order by j.operation_id for update;
end
$$;

-- The functions below wait for nothing: what others have locked is left out.

create function lock_free_jobs(ids bigint[]) returns setof job
language plpgsql rows 10 as $$
begin
  return query select * from public.job j where j.operation_id = any (ids) for update skip locked;
end
$$;

-- Of an account in a queue, the longest due first.
create function lock_ready_jobs(queue text, account_id bigint, max_rows bigint) returns setof bigint
language plpgsql rows 10 as $$
begin
  return query
    select j.operation_id from public.job j
    where j.ready and j.queue = lock_ready_jobs.queue and j.account_id = lock_ready_jobs.account_id
    order by j.due_at limit max_rows for update skip locked;
end
$$;

-- Those that are in no queue and whose time has come, the longest due first.
create function lock_due_jobs(max_rows bigint) returns setof job
language plpgsql rows 10 as $$
begin
  return query
    select * from public.job j where not j.ready and j.due_at <= clock_timestamp()
    order by j.due_at limit max_rows for update skip locked;
end
$$;

-- Those past their deadline, the longest first.
create function lock_late_jobs(max_rows bigint) returns setof job
language plpgsql rows 10 as $$
begin
  return query
    select * from public.job j where j.deadline_at <= clock_timestamp()
    order by j.deadline_at limit max_rows for update skip locked;
end
$$;

revoke all on function lock_jobs(bigint[]), lock_free_jobs(bigint[]), lock_ready_jobs(text, bigint, bigint), lock_due_jobs(bigint),
  lock_late_jobs(bigint) from public;
grant execute on function lock_jobs(bigint[]), lock_free_jobs(bigint[]), lock_ready_jobs(text, bigint, bigint), lock_due_jobs(bigint),
  lock_late_jobs(bigint) to operations;

-- Partitions are made ahead and dropped behind. The role of the service may neither create nor drop tables; it may ask for this.

-- The first partition of each table takes the first 2^24 numbers.
create table operation_0 (
  like operation including defaults including constraints including comments,
  constraint operation_0_pkey primary key (id)
) with (fillfactor = 80);
alter table operation_0 alter column id drop default;
create index operation_0_listing on operation_0 (account_id, action, created_at, id);
create index operation_0_failed on operation_0 (account_id, action, created_at, id) where failure_code is not null;
create table result_0 (like result, constraint result_0_pkey primary key (operation_id));
create table shortlist_0 (like shortlist, constraint shortlist_0_pkey primary key (operation_id));
create table plan_0 (like plan, constraint plan_0_pkey primary key (operation_id));
alter table operation attach partition operation_0 for values from (minvalue) to (16777216);
alter table result attach partition result_0 for values from (minvalue) to (16777216);
alter table shortlist attach partition shortlist_0 for values from (minvalue) to (16777216);
alter table plan attach partition plan_0 for values from (minvalue) to (16777216);

-- The partitions there are; each holds the numbers up to its last one and above that of the partition before.
create view operation_partition as
select c.relname::text as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''(\d+)''\)'))[1]::bigint - 1 as last_number
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'operation'::regclass;
grant select on operation_partition to operations;

-- Makes the partition of 2^24 numbers from a multiple of 2^24 on: apart and then attached, so that no call waits.
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
revoke all on function create_operation_partition(bigint) from public;

-- Makes room for twice 2^24 operations from a number on, or from where numbers have come to.
create function prepare_operation_partitions(from_number bigint default 0) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  reached bigint := greatest(from_number, (select last_value from public.operation_id_seq));
  last bigint;
begin
  perform pg_advisory_xact_lock(hashtext('operation_partition'));
  last := (select max(last_number) from public.operation_partition);
  while last < reached + (2 << 24) loop
    last := greatest((last + 1) >> 24, reached >> 24);
    perform public.create_operation_partition(last);
    last := ((last + 1) << 24) - 1;
  end loop;
end
$$;
revoke all on function prepare_operation_partitions(bigint) from public;
grant execute on function prepare_operation_partitions(bigint) to operations;

-- When a month has begun since the partition in use got its first operation, numbers go on in the next one: no partition but the
-- first spans more than a month. A statement of its own after those that made partitions: what is set of a sequence is seen by
-- all at once, tables only when they are committed.
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
  -- Nobody takes a number meanwhile, or skips some.
  lock table public.operation in share row exclusive mode;
  perform setval('public.operation_id_seq', present.last_number + 1, false)
  from public.operation_id_seq where last_value <= present.last_number;
end
$$;
revoke all on function begin_operation_month() from public;
grant execute on function begin_operation_month() to operations;

-- Makes those partitions of another moment, or of another database, that this one lacks: for who loads their rows. Each is
-- {"table", "from", "to"}; no "from" is from the beginning.
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
    cross join lateral generate_series(coalesce(p."from"::bigint, 0) >> 24, (p."to"::bigint - 1) >> 24) multiple
    where p."table" = 'operation'
    order by multiple
  loop
    -- Partition 0 may cover several of them.
    continue when to_regclass(format('public.operation_%s', wanted)) is not null
      or exists (select from public.operation_partition where name = 'operation_0' and last_number >= wanted << 24);
    perform public.create_operation_partition(wanted);
    made := made + 1;
  end loop;
  return made;
end
$$;
revoke all on function restore_partitions(jsonb) from public;

-- Drops the partitions in which every operation has ended and was accepted before an instant; returns how many. A reader that
-- holds a table is waited for only so long, since all others would wait behind it.
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
revoke all on function drop_operation_partitions(timestamptz) from public;
grant execute on function drop_operation_partitions(timestamptz) to operations;

-- Partition 0 may span years: what is old in it goes row by row, oldest first. Operations which have not ended are passed over: however
-- many they are, the others go. Returns how many of `max_rows` that it looked at went.
create function delete_old_operations(older_than timestamptz, max_rows integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deleted integer;
begin
  if to_regclass('public.operation_0') is null then
    return 0;
  end if;
  perform set_config('ces.retiring', 'on', true);
  with oldest as materialized (
    select id, created_at, state from public.operation_0 o
    where not exists (select from public.job where operation_id = o.id)
    order by id limit max_rows for update skip locked
  )
  delete from public.operation_0 o using oldest
  where o.id = oldest.id and oldest.created_at < older_than and oldest.state in ('delivered', 'failed', 'retired');
  get diagnostics deleted = row_count;
  perform set_config('ces.retiring', '', true);
  return deleted;
end
$$;
revoke all on function delete_old_operations(timestamptz, integer) from public;
grant execute on function delete_old_operations(timestamptz, integer) to operations;

select prepare_operation_partitions();

-- How many diagnostics an account has asked for in an hour: each leaves a row for as long as operations are kept.
create table diagnostics_asked (
  account_id bigint primary key,
  hour timestamptz not null,
  count integer not null
) with (fillfactor = 50);

-- How far the comparison with the ledger has come, for whichever process leads: new operations first, then backwards from the
-- newest to the oldest and round again.
create table reconciliation (
  only_row boolean primary key default true constraint reconciliation_single check (only_row),
  -- The highest number that was compared; null before the first pass.
  newest bigint,
  -- All from this number to `newest` were compared since the last time round.
  back_to bigint,
  -- The end of the last pass that read both sides whole.
  passed_at timestamptz,
  -- A stretch of numbers below `back_to` of which a pass has compared only the first: from where it goes, and up to where it has been
  -- compared. Null between two stretches.
  stretch_from bigint,
  compared_to bigint
);
insert into reconciliation default values;

-- Compared again in every pass: what had not ended when it was compared, and what differs.
create table reconciliation_open (
  operation_id bigint primary key,
  compared_at timestamptz not null default clock_timestamp(),
  differences text[] not null
);

-- Who looked into an operation, published its message, compared with the ledger or followed a restore; with a name, a role and a
-- reason. Rows without a role are of programs.
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

grant select, insert, update on diagnostics_asked, lease to operations;
grant select, update on reconciliation to operations;
grant select, insert, update, delete on reconciliation_open to operations;
grant select, insert on audit to operations;
