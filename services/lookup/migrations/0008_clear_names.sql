-- Two tables and an index get the words that the code uses. The names before stay as views (decision 0034): code from before
-- reads and writes through them while pods are replaced and after a rollback. The release after this one drops the views.

alter table company_apart rename to do_not_merge_pair;
alter table do_not_merge_pair rename constraint company_apart_pkey to do_not_merge_pair_pkey;
alter table do_not_merge_pair rename constraint company_apart_ordered to do_not_merge_pair_ordered;
alter index company_apart_other rename to do_not_merge_pair_other;
create view company_apart as select company_id, other_id from do_not_merge_pair;
grant select, insert, delete on company_apart to lookup;

alter table taken_down rename to take_down_hit;
alter table take_down_hit rename constraint taken_down_pkey to take_down_hit_pkey;
alter index taken_down_observation rename to take_down_hit_observation;
create view taken_down as select take_down_id, observation_id, evidence_id from take_down_hit;
grant select, insert, delete on taken_down to lookup;

alter index take_down_standing rename to take_down_active;
