-- The keys of operations from before: all but those whose row may yet be deleted, which follow when they are decided (0031) or
-- when the tables change places (0035).
insert into request_key (account_id, action, key_digest, operation_id)
select account_id, action, key_digest, id from operation
where not (state in ('created', 'withdrawing') or (state = 'stored' and payment = 'charge'))
on conflict do nothing;
