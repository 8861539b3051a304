-- What operators record, and what follows a restore, leaves a row too, with what became of it.
alter table audit
  add column detail jsonb not null default '{}',
  drop constraint audit_action_known,
  add constraint audit_action_known check (action in (
    'withdraw', 'restore', 'take_down', 'lift', 'merge', 'split', 'unverify', 'verify', 'register_source',
    'record_companies', 'record_evidence', 'record_closings', 'after_restore')),
  drop constraint audit_of_something,
  add constraint audit_of_something
    check (num_nonnulls(observation_id, company_id, take_down_id, source) >= 1 or action = 'after_restore');
