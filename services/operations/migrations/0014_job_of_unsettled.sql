-- The release before writes what is stored, failing or withdrawing without a job; this one writes both, and the trigger finds
-- the row there.
create function keep_job() returns trigger language plpgsql as $$
begin
  insert into job (operation_id, account_id, fence, attempts, due_at, publish_at)
  values (new.id, new.account_id, 0, 0, clock_timestamp() + interval '2 seconds', 'infinity')
  on conflict (operation_id) do nothing;
  return null;
end
$$;

create trigger operation_keeps_job after insert or update of state on operation
  for each row when (new.state in ('stored', 'failing', 'withdrawing')) execute function keep_job();

-- The release before sets the deadline at the first claim in `operation` alone.
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

insert into job (operation_id, account_id, fence, attempts, due_at, publish_at)
select id, account_id, 0, 0, clock_timestamp(), 'infinity' from operation
where state in ('created', 'withdrawing', 'stored', 'failing')
on conflict (operation_id) do nothing;
