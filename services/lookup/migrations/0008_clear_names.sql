-- Two tables and an index get the words that the code uses. The names before stay as views (decision 0034): code from before
-- reads and writes through them while pods are replaced and after a rollback, and recognises constraints by their names, so
-- those stay too. The release after this one drops the views and renames the constraints.

alter table company_apart rename to do_not_merge_pair;
alter index company_apart_other rename to do_not_merge_pair_other;
create view company_apart as select company_id, other_id from do_not_merge_pair;
grant select, insert, delete on company_apart to lookup;

alter table taken_down rename to take_down_hit;
alter index taken_down_observation rename to take_down_hit_observation;
create view taken_down as select take_down_id, observation_id, evidence_id from take_down_hit;
grant select, insert, delete on taken_down to lookup;

alter index take_down_standing rename to take_down_active;

-- Columns of large tables keep their names: a second column under a better one would have to be filled row by row.
comment on column company.survivor_id is 'the canonical company of the group; its own id when it was never merged';
comment on column observation.told_by is 'key of the source record whose wording the observation has; null: its only record';
comment on column observation.told_at is 'event date of the source record whose wording the observation has';
comment on column source_record.seen_at is 'latest occurrence of the record at its source';
