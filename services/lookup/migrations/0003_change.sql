-- The change feed, and who withdrew or restored what.

-- A reader asks for (tx, seq) after its position with tx below the oldest transaction still open, and so never skips
-- a row that commits late.
create table change (
  tx xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  observation_id bigint,
  company_id bigint,
  primary key (tx, seq),
  constraint change_of_one_thing check (num_nonnulls(observation_id, company_id) = 1)
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  action text not null constraint audit_action_known check (action in ('withdraw', 'restore')),
  observation_id bigint not null,
  evidence_id bigint,
  reason text
);

grant select, insert on change, audit to lookup;
