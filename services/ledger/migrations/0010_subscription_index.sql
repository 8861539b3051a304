-- migrate: without transaction
create index concurrently if not exists hold_subscription_created_idx on hold (subscription_id, created_at);
