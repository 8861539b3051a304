-- migrate: without transaction
drop index concurrently if exists hold_subscription_idx;
