-- migrate: without transaction
-- Of jobs whose message is to be published some time. Those of look-ups and of what is to be settled are not.
create index concurrently if not exists job_publishable on job (publish_at) where publish_at < 'infinity';
