-- The tables change places with partitioned ones, in a moment: no row is read but those of a few undecided operations. What there
-- is becomes partition 0. Names that code from before knows stay: its `on conflict on constraint operation_key` finds the primary key.
lock table operation, job, result, shortlist, plan in access exclusive mode;

insert into request_key (account_id, action, key_digest, operation_id)
select account_id, action, key_digest, id from operation where id in (select operation_id from job)
on conflict do nothing;
drop trigger operation_claims_decided_key on operation;
drop function claim_decided_key();
drop trigger operation_claims_key on operation;
drop trigger operation_releases_key on operation;
drop trigger operation_keeps_job on operation;
drop trigger operation_copies_deadline on operation;
alter table job drop constraint if exists job_operation_id_fkey;
alter table operation rename constraint operation_key to operation_0_key;

-- Makes a table anew and empty, partitioned by number, with its columns, checks and rights; the one that was is called NAME_0.
create function pg_temp.partition_by_number(name text, key text, primary_key text) returns void language plpgsql as $$
declare
  first text := name || '_0';
  changeable text := (
    select string_agg(quote_ident(column_name), ', ') from information_schema.column_privileges
    where table_schema = 'public' and table_name = name and grantee = 'operations' and privilege_type = 'UPDATE');
begin
  execute format('alter table %I rename to %I', name, first);
  execute format('alter index %I rename to %I', name || '_pkey', first || '_pkey');
  execute format('create table %I (like %I including defaults including constraints including comments) partition by range (%I)',
    name, first, key);
  execute format('alter table %I drop constraint %I', name, first || '_numbers');
  execute format('alter table %I add constraint %I primary key (%I)', name, primary_key, key);
  execute format('grant select, insert, delete on %I to operations', name);
  if changeable is not null then
    execute format('grant update (%s) on %I to operations', changeable, name);
  end if;
  execute format('revoke all on %I from operations', first);
end
$$;
select pg_temp.partition_by_number('operation', 'id', 'operation_key'),
       pg_temp.partition_by_number('result', 'operation_id', 'result_pkey'),
       pg_temp.partition_by_number('shortlist', 'operation_id', 'shortlist_pkey'),
       pg_temp.partition_by_number('plan', 'operation_id', 'plan_pkey');

-- The sequence goes with the identity column, and a new one goes on under its name.
do $$
declare
  reached bigint := (select last_value from operation_id_seq);
  is_given boolean := (select is_called from operation_id_seq);
begin
  alter table operation_0 alter column id drop identity;
  create sequence operation_id_seq owned by operation.id;
  perform setval('operation_id_seq', reached, is_given);
end
$$;
alter table operation alter column id set default nextval('operation_id_seq');
grant usage, select on sequence operation_id_seq to operations;

-- Attaching reads nothing where a check says already that all rows belong.
do $$
declare
  bound text := (select (regexp_match(pg_get_constraintdef(oid), '\d{6,}'))[1] from pg_constraint
                 where conname = 'operation_0_numbers' and conrelid = 'operation_0'::regclass);
  name text;
begin
  foreach name in array array['operation', 'result', 'shortlist', 'plan'] loop
    execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', name, name || '_0', bound);
    execute format('alter table %I drop constraint %I', name || '_0', name || '_0_numbers');
  end loop;
end
$$;

create trigger operation_claims_key before insert on operation for each row execute function claim_request_key();
create trigger operation_keeps_job after insert or update of state on operation
  for each row when (new.state in ('stored', 'failing', 'withdrawing')) execute function keep_job();
create trigger operation_copies_deadline after update of deadline_at on operation
  for each row when (new.deadline_at is distinct from old.deadline_at and new.state in ('held', 'running'))
  execute function copy_deadline();

-- Nothing of an operation outlives it, but for the key of one that is deleted because it is old (0023).
create function forget_operation() returns trigger language plpgsql as $$
begin
  delete from job where operation_id = old.id;
  if current_setting('ces.retiring', true) is distinct from 'on' then
    delete from request_key where operation_id = old.id;
  end if;
  return null;
end
$$;
create trigger operation_forgotten after delete on operation for each row execute function forget_operation();
drop function release_request_key();
