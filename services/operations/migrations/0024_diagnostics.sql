-- How many diagnostics an account has asked for in an hour: each leaves a row for as long as operations are kept.
create table diagnostics_asked (
  account_id bigint primary key,
  hour timestamptz not null,
  count integer not null
) with (fillfactor = 50);
grant select, insert, update on diagnostics_asked to operations;
