-- Contracts what 0006 to 0010 expanded: code since then names `state`, `publish_at` and `publications` alone. The constraints
-- that go with `point` hold of `state`; the next file validates them.
drop trigger operation_state_and_point on operation;
drop function keep_state_and_point();
drop trigger job_publications_and_rings on job;
drop function keep_publications_and_rings();

drop index operation_unsettled;

alter table operation
  drop column point,
  add constraint operation_state_known check (
    state in ('created', 'withdrawing', 'held', 'running', 'stored', 'delivered', 'failing', 'failed', 'retired')
  ) not valid,
  add constraint operation_input_kept check ((normal_form is null) = (state = 'retired')) not valid,
  add constraint operation_failure_stored check (
    (failure_code is not null) = (state in ('failing', 'failed')) or state = 'retired'
  ) not valid,
  add constraint operation_units_delivered check (
    request_units + delivered_units + fresh_evidence_units = 0 or state in ('delivered', 'retired')
  ) not valid,
  add constraint operation_end_dated check (
    (finished_at is not null) = (state in ('delivered', 'failed', 'retired'))
  ) not valid;

alter table job drop column ring_at, drop column rings;
