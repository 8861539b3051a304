-- migrate: without transaction
create unique index concurrently if not exists credential_moved_digest_key on credential (moved_digest);
