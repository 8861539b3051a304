-- Takes the indexes that the partitions have got, and builds them on those that were made meanwhile, which are empty. Every partition that
-- is attached from now on gets both.
create index operation_listing on operation (account_id, action, created_at, id);
create index operation_failed on operation (account_id, action, created_at, id) where failure_code is not null;
