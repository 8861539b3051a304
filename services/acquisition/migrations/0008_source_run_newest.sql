-- migrate: without transaction
create index concurrently if not exists source_run_newest_planned on source_run (source, id desc) where trigger <> 'operation';
