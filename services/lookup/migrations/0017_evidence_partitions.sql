-- As observation's (0014), by the observation, so that an observation and its evidence lie in partitions of one range. The key by `id` alone is each
-- partition's own, since one over all would have to name the observation; the sequence never gives an id twice.
lock table observation in share row exclusive mode;
lock table evidence in access exclusive mode;

alter table evidence rename to evidence_0;
alter index evidence_pkey rename to evidence_0_pkey;
alter index evidence_kept rename to evidence_0_kept;
alter index evidence_raw_record rename to evidence_0_raw_record;
drop trigger evidence_of_older_writer on evidence_0;

-- The first partition keeps the name of its key, by which code from before knows what a bad row violated.
create table evidence (
  like evidence_0 including defaults including constraints including generated including storage including comments,
  constraint evidence_passage_key unique (observation_id, passage),
  constraint evidence_observation_id_fkey foreign key (observation_id) references observation (id)
) partition by range (observation_id);
alter table evidence drop constraint evidence_of_partition;
create index evidence_kept on evidence (id) where raw_record_hash is not null;
create index evidence_raw_record on evidence (raw_record_hash) where raw_record_hash is not null;
create trigger evidence_of_older_writer before insert on evidence
  for each row when (new.source is null or new.passage_hash is null) execute function evidence_of_older_writer();

do $$
declare
  next_id bigint := (select last_value + is_called::int from evidence_id_seq);
begin
  alter table evidence_0 alter column id drop identity;
  alter table evidence alter column id add generated always as identity (sequence name evidence_id_seq);
  perform setval('evidence_id_seq', next_id, false);
  create table evidence_beyond partition of evidence (primary key (id)) default with (fillfactor = 90);
  execute format('alter table evidence attach partition evidence_0 for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from '\d{6,}') from pg_constraint
      where conrelid = 'evidence_0'::regclass and conname = 'evidence_of_partition'));
end $$;
alter table evidence_0 drop constraint evidence_of_partition;

revoke all on evidence_0 from lookup;
grant select, insert on evidence to lookup;
grant update (occurred_at, last_seen_at, withdrawn_at, withdrawn_reason, unverified_reason, take_down_id) on evidence to lookup;
