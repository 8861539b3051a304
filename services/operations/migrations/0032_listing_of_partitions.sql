-- migrate: without transaction, for each partition of operation
-- For an account's own list (decision 0102): newest accepted first, of an action. Nothing in it ever changes, so that changes of state stay
-- heap-only updates.
create index concurrently if not exists {partition}_listing on {partition} (account_id, action, created_at, id);
