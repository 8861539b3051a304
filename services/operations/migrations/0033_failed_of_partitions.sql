-- migrate: without transaction, for each partition of operation
-- The same of those that failed, few among many: only what fails is written to it.
create index concurrently if not exists {partition}_failed on {partition} (account_id, action, created_at, id) where failure_code is not null;
