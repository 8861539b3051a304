-- Who made a change, and why: an operator has a name, a role and a reason. Rows without a role are of programs, or from before.
alter table audit
  add column role text constraint audit_role_known check (role in ('viewer', 'support', 'operator')),
  add column reason text constraint audit_reason_length check (char_length(reason) <= 500);
grant select on audit to ledger;
