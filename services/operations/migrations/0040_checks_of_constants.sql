-- Checks are read anew for every statement that writes: a list of words is one constant and no longer one for each of them. They say
-- what they said before, which 0041 confirms beside reads and writes.
alter table operation
  drop constraint operation_action_known,
  drop constraint operation_payment_known,
  drop constraint operation_state_known,
  drop constraint operation_failure_stored,
  drop constraint operation_units_delivered,
  drop constraint operation_end_dated,
  add constraint operation_action_known check (
    action = any ('{company_search,observation_search,company_lookup,observation_lookup,diagnostic}'::text[])
  ) not valid,
  add constraint operation_payment_known check (payment = any ('{hold,charge,none}'::text[])) not valid,
  add constraint operation_state_known check (
    state = any ('{created,withdrawing,held,running,stored,delivered,failing,failed,retired}'::text[])
  ) not valid,
  add constraint operation_failure_stored check (
    (failure_code is not null) = (state = any ('{failing,failed}'::text[])) or state = 'retired'
  ) not valid,
  add constraint operation_units_delivered check (
    request_units + delivered_units + fresh_evidence_units = 0 or state = any ('{delivered,retired}'::text[])
  ) not valid,
  add constraint operation_end_dated check (
    (finished_at is not null) = (state = any ('{delivered,failed,retired}'::text[]))
  ) not valid;

alter table job
  drop constraint job_line_known,
  add constraint job_line_known check (line = any ('{step,run,quarantine,sources}'::text[])) not valid;
