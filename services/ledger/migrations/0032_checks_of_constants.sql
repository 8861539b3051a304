-- Checks are read anew for every statement that writes: a list of words is one constant and no longer one for each of them. They say
-- what they said before, which 0033 confirms beside reads and writes.
alter table hold
  drop constraint hold_state_known,
  drop constraint hold_refusal_code_known,
  add constraint hold_state_known check (state = any ('{held,posted,void,refused}'::text[])) not valid,
  add constraint hold_refusal_code_known check (
    refusal_code = any ('{request_limit_reached,invalid_api_key,subscription_required,usage_expired}'::text[])
  ) not valid;

alter table subscription
  drop constraint subscription_status_known,
  add constraint subscription_status_known check (
    status = any ('{trialing,active,past_due,paused,canceled,unpaid,incomplete}'::text[])
  ) not valid;
