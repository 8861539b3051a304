-- Ends holds that are held, in the statement that writes what they become; one that is not held fails it, so that nothing of it is kept.
create function end_holds(ids bigint[], states text[]) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  closed bigint := close_holds(ids, states);
begin
  if closed <> cardinality(ids) then
    raise exception 'of % holds only % were held', cardinality(ids), closed;
  end if;
  return closed;
end $$;
revoke all on function end_holds(bigint[], text[]) from public;
grant execute on function end_holds(bigint[], text[]) to ledger;
