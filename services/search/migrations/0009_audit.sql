-- Who had the index made anew, and why. It goes with the database, as all of it may.
create table audit (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  caller text not null,
  role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  reason text constraint audit_reason_length check (char_length(reason) <= 500),
  action text not null constraint audit_action_known check (action in ('rebuild_index', 'after_restore')),
  constraint audit_key primary key (id)
);
grant select, insert on audit to search;
