-- Expands: code from now on takes the request key in the statement that writes the operation, and leaves its digest out of the row. Rows of
-- the release before come with a digest, and the trigger takes the key for them; the next release drops both.
alter table operation alter column key_digest drop not null;
drop trigger operation_claims_key on operation;
create trigger operation_claims_key before insert on operation
  for each row when (new.key_digest is not null) execute function claim_request_key();
