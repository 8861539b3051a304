-- migrate: without transaction
-- Read beside writes, and once: what is attached with a bound that is known to hold is not read again under a lock.
do $$
begin
  alter table observation validate constraint observation_of_partition;
  commit;
  alter table evidence validate constraint evidence_of_partition;
  commit;
  alter table change validate constraint change_of_partition;
end $$;
