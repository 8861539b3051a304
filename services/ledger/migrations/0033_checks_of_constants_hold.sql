-- Reads the tables beside all who write them.
alter table hold
  validate constraint hold_state_known,
  validate constraint hold_refusal_code_known;
alter table subscription validate constraint subscription_status_known;
