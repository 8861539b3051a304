-- Comparing with the ledger and what follows a restore are deeds of operators too: of many operations, with what they changed.
alter table audit
  alter column operation_id drop not null,
  add column detail jsonb not null default '{}',
  drop constraint audit_action_known,
  add constraint audit_action_known check (action in ('show', 'requeue', 'reconcile', 'after_restore')),
  add constraint audit_of_an_operation check (operation_id is not null or action in ('reconcile', 'after_restore'));
