-- Expands. An identity is given to every new operation, whichever release inserts it, and is never given twice, whatever becomes
-- of the sequence that numbers them. What is older has none: filling it in would rewrite the table, and the ledger compares such
-- operations by account, subscription and units.
alter table operation add column identity uuid;
alter table operation alter column identity set default gen_random_uuid();

-- Moves the numbering of operations on, never back: `up_to` and all below it are given to no operation from now on. True when it
-- was behind. What inserts an operation takes its number under a lock of the table, so none is given between look and move.
create function skip_operation_numbers(up_to bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public set lock_timeout = '3s'
as $$
begin
  if (select last_value + is_called::int > up_to from operation_id_seq) then
    return false;
  end if;
  lock table operation in share row exclusive mode;
  perform setval('operation_id_seq', up_to) from operation_id_seq where last_value <= up_to;
  return true;
end
$$;

revoke all on function skip_operation_numbers(bigint) from public;
grant execute on function skip_operation_numbers(bigint) to operations;
