-- Expands (0018 to 0023): operations and what they froze are partitioned by number, so that what is old goes with its partition.
-- A partitioned table cannot keep a request key unique, and keys outlive their operations: they stand, as digests, in a table of
-- their own. Triggers keep it, so that what code from before writes is in it too.
create table request_key (
  account_id bigint not null,
  action text not null,
  key_digest bytea not null,
  operation_id bigint not null,
  primary key (account_id, action, key_digest)
);
create unique index request_key_operation on request_key (operation_id);
grant select, insert, delete on request_key to operations;

-- Of calls with one key the first to commit has it; the others insert nothing.
create function claim_request_key() returns trigger language plpgsql as $$
begin
  insert into request_key (account_id, action, key_digest, operation_id)
  values (new.account_id, new.action, new.key_digest, new.id)
  on conflict (account_id, action, key_digest) do nothing;
  if not found then
    return null;
  end if;
  return new;
end
$$;
create trigger operation_claims_key before insert on operation for each row execute function claim_request_key();

-- What no caller was shown gives its key back. What is deleted because it is old does not.
create function release_request_key() returns trigger language plpgsql as $$
begin
  if old.state in ('created', 'withdrawing') or (old.state = 'stored' and old.payment = 'charge') then
    delete from request_key where operation_id = old.id;
  end if;
  return null;
end
$$;
create trigger operation_releases_key after delete on operation for each row execute function release_request_key();

-- Until the tables change places (0022): what was undecided when the keys of the others were gathered.
create function claim_decided_key() returns trigger language plpgsql as $$
begin
  insert into request_key (account_id, action, key_digest, operation_id)
  values (new.account_id, new.action, new.key_digest, new.id)
  on conflict do nothing;
  return null;
end
$$;
create trigger operation_claims_decided_key after update of state on operation for each row
  when (old.state in ('created', 'withdrawing') or (old.state = 'stored' and old.payment = 'charge'))
  execute function claim_decided_key();
