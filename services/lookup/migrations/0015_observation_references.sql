-- What names an observation names one of any partition.
lock table source_record, observation, evidence, event_key, domain_support, take_down_hit in access exclusive mode;

alter table source_record drop constraint source_record_observation,
  add constraint source_record_observation foreign key (observation_id)
    references observation (id) deferrable initially deferred not valid;
alter table evidence drop constraint evidence_observation_id_fkey,
  add constraint evidence_observation_id_fkey foreign key (observation_id) references observation (id) not valid;
alter table event_key drop constraint event_key_observation_id_fkey,
  add constraint event_key_observation_id_fkey foreign key (observation_id) references observation (id) not valid;
alter table domain_support drop constraint domain_support_observation_id_fkey,
  add constraint domain_support_observation_id_fkey foreign key (observation_id) references observation (id) not valid;
alter table take_down_hit drop constraint taken_down_observation_id_fkey,
  add constraint taken_down_observation_id_fkey foreign key (observation_id) references observation (id) not valid;
