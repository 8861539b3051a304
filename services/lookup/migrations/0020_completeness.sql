-- Up to where the record was called complete, to the second: nothing is recorded at or before it any more, wherever the clock of the server is set.
create table completeness (
  only_row boolean primary key default true constraint completeness_single check (only_row),
  complete_until timestamptz not null
) with (fillfactor = 10);
insert into completeness (complete_until) values (date_trunc('milliseconds', clock_timestamp()));
grant select, update on completeness to lookup;
