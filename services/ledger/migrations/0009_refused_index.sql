-- migrate: without transaction
create index concurrently if not exists hold_refused_idx on hold (created_at) where refusal_code is not null;
