-- migrate: without transaction
drop index concurrently if exists hold_ended_idx;
