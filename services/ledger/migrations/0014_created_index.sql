-- migrate: without transaction
create index concurrently if not exists hold_created_idx on hold (created_at);
