-- Reads the table beside all who write it.
alter table operation
  validate constraint operation_state_known,
  validate constraint operation_input_kept,
  validate constraint operation_failure_stored,
  validate constraint operation_units_delivered,
  validate constraint operation_end_dated;
