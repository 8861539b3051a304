-- The release before ends operations without their job, which this one deletes itself: a trigger does it for either, so that none is
-- left behind while pods are replaced or after a rollback. The next release drops it.
create function end_job() returns trigger language plpgsql as $$
begin
  delete from job where operation_id = new.id;
  return null;
end
$$;
create trigger operation_ends_job after update of state on operation
  for each row when (new.state in ('delivered', 'failed')) execute function end_job();
delete from job using operation o where o.id = job.operation_id and o.state in ('delivered', 'failed', 'retired');
