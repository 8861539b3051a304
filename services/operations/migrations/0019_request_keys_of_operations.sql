-- The keys of operations from before: all but those whose row may yet be deleted, which follow when they are decided (0018) or
-- when the tables change places (0022).
insert into request_key (account_id, action, key_digest, operation_id)
select account_id, action, key_digest, id from operation
where not (state in ('created', 'withdrawing') or (state = 'stored' and payment = 'charge'))
-- So that the primary key is written from one end to the other.
order by account_id, action, key_digest
on conflict do nothing;
