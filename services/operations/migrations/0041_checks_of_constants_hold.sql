-- Reads the tables beside all who write them.
alter table operation
  validate constraint operation_action_known,
  validate constraint operation_payment_known,
  validate constraint operation_state_known,
  validate constraint operation_failure_stored,
  validate constraint operation_units_delivered,
  validate constraint operation_end_dated;
alter table job validate constraint job_line_known;
