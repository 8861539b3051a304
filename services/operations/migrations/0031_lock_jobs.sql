-- Jobs are locked by functions, each a statement of its own. Where a statement locks rows itself, finds one changed meanwhile and prunes
-- partitions as it runs, Postgres 18 up to 18.4 reads freed memory, and its server ends with every connection.

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

-- Of an account in a line, the longest due first.
create function lock_ready_jobs(line text, account_id bigint, max_rows bigint) returns setof bigint
language plpgsql rows 10 as $$
begin
  return query
    select j.operation_id from public.job j
    where j.ready and j.line = lock_ready_jobs.line and j.account_id = lock_ready_jobs.account_id
    order by j.due_at limit max_rows for update skip locked;
end
$$;

-- Those that stand in no line and whose time has come, the longest due first.
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
