-- migrate: without transaction
create index concurrently if not exists source_run_of_operation on source_run (id) where trigger = 'operation';
