-- How far the comparison with the ledger has come, for whichever process leads: new operations first, then backwards from the
-- newest to the oldest and round again.
create table reconciliation (
  only_row boolean primary key default true constraint reconciliation_single check (only_row),
  -- The highest number that was compared; null before the first pass.
  newest bigint,
  -- All from this number to `newest` were compared since the last time round.
  back_to bigint,
  -- The end of the last pass that read both sides whole.
  passed_at timestamptz
);
insert into reconciliation default values;

-- Compared again in every pass: what had not ended when it was compared, and what differs.
create table reconciliation_open (
  operation_id bigint primary key,
  compared_at timestamptz not null default clock_timestamp(),
  differences text[] not null
);
grant select, update on reconciliation to operations;
grant select, insert, update, delete on reconciliation_open to operations;
