-- Nothing is read or moved: the table that was becomes the first partition of the one that takes its name. Its indexes serve the new ones of the
-- same shape. Rows that no partition has been made for go to the last one, so that a write never fails for want of one.

-- In the order in which writes lock them.
lock table company in share row exclusive mode;
lock table observation in access exclusive mode;

alter table observation rename to observation_0;
alter index observation_pkey rename to observation_0_pkey;
alter index observation_choice rename to observation_0_choice;
alter index observation_company_recorded rename to observation_0_company_recorded;
alter index observation_recorded rename to observation_0_recorded;
drop trigger observation_of_older_writer on observation_0;

create table observation (
  like observation_0 including defaults including constraints including generated including storage including comments,
  constraint observation_pkey primary key (id),
  constraint observation_company_id_fkey foreign key (company_id) references company (id)
) partition by range (id);
alter table observation drop constraint observation_of_partition;
alter sequence observation_id_seq owned by observation.id;
create index observation_choice on observation (company_id, demand_class, occurred_at desc nulls last, id)
  where withdrawn_at is null;
create index observation_company_recorded on observation (company_id, recorded_at, id);
create index observation_recorded on observation (recorded_at);
create trigger observation_of_older_writer before insert on observation
  for each row when (new.fact_hash is null) execute function observation_fact_hash();

create table observation_beyond partition of observation default with (fillfactor = 90);
do $$
begin
  execute format('alter table observation attach partition observation_0 for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from '\d{6,}') from pg_constraint
      where conrelid = 'observation_0'::regclass and conname = 'observation_of_partition'));
end $$;
alter table observation_0 drop constraint observation_of_partition;

revoke all on observation_0 from lookup;
grant select, insert on observation to lookup;
grant update (observed_fact, why_it_may_matter, country, confidence, occurred_at, expires_at, categories,
  withdrawn_at, withdrawn_reason, version, told_by, told_at, fact_hash, unverified_at, unverified_reason, take_down_id)
  on observation to lookup;
