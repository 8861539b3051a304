-- Every partition covers 2^24 numbers. What there is becomes the first one, which ends at least a million numbers from now: checks
-- say so beforehand, so that no table is read while it is locked.
do $$
declare
  bound bigint := (((select coalesce(max(id), 0) from operation) + 1048576) / 16777216 + 1) * 16777216;
begin
  execute format('alter table operation add constraint operation_0_numbers check (id < %s) not valid', bound);
  execute format('alter table result add constraint result_0_numbers check (operation_id < %s) not valid', bound);
  execute format('alter table shortlist add constraint shortlist_0_numbers check (operation_id < %s) not valid', bound);
  execute format('alter table plan add constraint plan_0_numbers check (operation_id < %s) not valid', bound);
end
$$;
