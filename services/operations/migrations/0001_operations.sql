-- One row an operation, durable before any unit is held (decision 0001). Texts are never stored beside the input itself.
create table operation (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  action text not null,
  request_key text not null,
  -- A key may be longer than an index entry can hold.
  key_digest bytea not null,
  fingerprint bytea not null,
  normal_form_version smallint not null,
  normal_form jsonb,
  subscription_id bigint not null,
  credential_id bigint not null,
  test_mode boolean not null,
  payment text not null,
  -- Delivered units that are held until the result is known.
  worst_case_units integer not null,
  point text not null,
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
  constraint operation_key unique (account_id, action, key_digest),
  constraint operation_action_known check (
    action in ('company_search', 'observation_search', 'company_lookup', 'observation_lookup', 'diagnostic')
  ),
  constraint operation_payment_known check (payment in ('hold', 'charge', 'none')),
  constraint operation_point_known check (
    point in ('created', 'held', 'running', 'stored', 'delivered', 'failing', 'failed', 'retired')
  ),
  constraint operation_digests check (octet_length(key_digest) = 32 and octet_length(fingerprint) = 32),
  constraint operation_input_kept check ((normal_form is null) = (point = 'retired')),
  constraint operation_failure_stored check ((failure_code is not null) = (point in ('failing', 'failed')) or point = 'retired'),
  constraint operation_units_delivered check (
    request_units + delivered_units + fresh_evidence_units = 0 or point in ('delivered', 'retired')
  ),
  constraint operation_end_dated check ((finished_at is not null) = (point in ('delivered', 'failed', 'retired')))
) with (fillfactor = 80);

-- What the sweeper looks at: operations between two steps that nobody may be taking.
create index operation_between_steps on operation (id) where point in ('created', 'stored', 'failing');
create index operation_by_age on operation using brin (created_at);

-- Work that waits or is under a lease. due_at is from when anybody may claim it: the end of the lease while there is an
-- owner, the next attempt while there is none. The row ends with the work; fence numbers its claims.
create table job (
  operation_id bigint primary key references operation (id) on delete cascade,
  fence bigint not null,
  attempts integer not null,
  owner text,
  due_at timestamptz not null,
  -- The bell: when it may ring (again), and how often it did.
  ring_at timestamptz not null,
  rings integer not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

create index job_due on job (due_at);

-- What was decided before searching, frozen with the result.
create table plan (
  operation_id bigint primary key references operation (id) on delete cascade,
  planner text not null,
  retrieval text not null,
  plan jsonb not null,
  filters jsonb not null
);

-- The ordered shortlist of a company search, for its later pages and its replays.
create table shortlist (
  operation_id bigint primary key references operation (id) on delete cascade,
  account_id bigint not null,
  page_fingerprint bytea not null,
  -- [{"company_id": n, "observation_ids": [n, n, n]}], best first.
  items jsonb not null,
  coverage jsonb not null,
  as_of timestamptz not null,
  expires_at timestamptz not null
);

-- What was delivered, as references.
create table result (
  operation_id bigint primary key references operation (id) on delete cascade,
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
);

-- Who looked into an operation or rang for it.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null constraint audit_action_known check (action in ('show', 'requeue')),
  operation_id bigint not null
);

grant select on migration to operations;
grant insert on audit to operations;
grant select, insert, delete on operation to operations;
grant update (point, normal_form, deadline_at, started_at, stored_at, finished_at, request_units, delivered_units,
  fresh_evidence_units, failure_code, failure_message) on operation to operations;
grant select, insert, update, delete on job to operations;
grant select, insert, delete on plan, shortlist, result to operations;
