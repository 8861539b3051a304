-- Expands. An identity is given to every new operation, whichever release inserts it, and is never given twice, whatever becomes
-- of the sequence that numbers them. What is older has none: filling it in would rewrite the table, and the ledger compares such
-- operations by account, subscription and units.
alter table operation add column identity uuid;
alter table operation alter column identity set default gen_random_uuid();

-- Moves the numbering of operations on, never back: `up_to` and all below it are given to no operation from now on. Altering the
-- sequence locks it until the end of the transaction, so that no number is given between the look and the move.
create function skip_operation_numbers(up_to bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public
as $$
begin
  alter sequence operation_id_seq no cycle;
  perform setval('operation_id_seq', up_to) from operation_id_seq where last_value <= up_to;
end
$$;

revoke all on function skip_operation_numbers(bigint) from public;
grant execute on function skip_operation_numbers(bigint) to operations;
