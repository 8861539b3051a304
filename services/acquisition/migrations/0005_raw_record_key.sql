-- migrate: without transaction
create unique index concurrently if not exists raw_record_first_key on raw_record (source, hash, fetched_at);
