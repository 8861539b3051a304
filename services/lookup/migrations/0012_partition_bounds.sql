-- What grows is partitioned by ranges of the number that it is written under: a partition stays of a size that is written,
-- vacuumed and indexed at one pace, however old the record is. A look-up asks every partition of observation for a company's, so
-- a range is large, 2^26 numbers. The tables of today become the first partitions, up
-- to a bound that lies at least a whole range ahead, so that nothing meets it meanwhile.
do $$
declare
  ids bigint := ((select last_value from observation_id_seq) / 67108864 + 2) * 67108864;
  changes bigint := ((select last_value from change_seq_seq) / 67108864 + 2) * 67108864;
begin
  execute format('alter table observation add constraint observation_of_partition check (id < %L::bigint) not valid', ids);
  execute format('alter table evidence add constraint evidence_of_partition check (observation_id < %L::bigint) not valid', ids);
  execute format('alter table change add constraint change_of_partition check (seq < %L::bigint) not valid', changes);
end $$;
