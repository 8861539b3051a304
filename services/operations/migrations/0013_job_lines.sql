-- Expands (0013 to 0015): every operation that has not ended has a row here, which says what it waits for, so that no index of
-- `operation` needs its state. A `ready` row may be taken now, and stands in the line of its account; every other is looked at
-- again at due_at, when its operation says which line it belongs to. So rows that the release before writes, which knows none of
-- these columns, come right by themselves. The next release drops job_due and the triggers of this file and the next one.
alter table job
  -- Null until the row is first looked at.
  add column account_id bigint,
  -- run, quarantine: for a worker; sources: for a worker with a slot for runs that ask sources; step: for the sweeper.
  add column line text not null default 'step'
    constraint job_line_known check (line in ('step', 'run', 'quarantine', 'sources')),
  add column ready boolean not null default false,
  -- Takes of the sweeper, and attempts that another service ended: how long the next pause is.
  add column tries integer not null default 0,
  -- A copy of the operation's, of what waits to run or runs.
  add column deadline_at timestamptz,
  add constraint job_ready_of_account check (not ready or account_id is not null);

create index job_ready on job (line, account_id, due_at) where ready;
create index job_later on job (due_at) where not ready;
create index job_deadline on job (deadline_at) where deadline_at is not null;

-- What the release before claims, postpones or makes due leaves the line that it stood in.
create function leave_line() returns trigger language plpgsql as $$
begin
  new.ready := false;
  return new;
end
$$;

create trigger job_leaves_line before update of due_at on job
  for each row when (old.ready and new.ready and new.due_at is distinct from old.due_at) execute function leave_line();
