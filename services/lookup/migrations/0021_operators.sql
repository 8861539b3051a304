-- Who made a change: an operator has a name and a role. Rows without a role are of programs, or from before.
alter table audit add column role text constraint audit_role_known check (role in ('viewer', 'support', 'operator'));
