-- migrate: without transaction, for each partition of entry
create index concurrently if not exists {partition}_match on {partition} using gin (text, (array[kind::integer, kind * 1000 + country]));
