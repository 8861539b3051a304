-- migrate: without transaction
-- Read beside writes, a table at a time: the change feed waits for the end of a transaction that writes, as each of these is.
do $$
begin
  alter table evidence validate constraint evidence_observation_id_fkey;
  commit;
  alter table source_record validate constraint source_record_observation;
  commit;
  alter table event_key validate constraint event_key_observation_id_fkey;
  commit;
  alter table domain_support validate constraint domain_support_observation_id_fkey;
  commit;
  alter table take_down_hit validate constraint taken_down_observation_id_fkey;
end $$;
