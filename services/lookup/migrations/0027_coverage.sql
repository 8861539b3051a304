-- How much of what sources published lately is here: taken by one process at a time, read by everybody.
alter table source add column read_at timestamptz;
grant update (read_at) on source to lookup;

create table coverage (
  origin text not null,
  kind text not null,
  country text not null,
  -- Of the last seven days, by the day of the event.
  week_count bigint not null constraint coverage_week_count_natural check (week_count >= 0),
  newest_at timestamptz,
  -- From the event to its record, of those of the last seven days; null where there are none.
  median_delay_s double precision,
  slow_delay_s double precision,
  constraint coverage_key primary key (origin, kind, country)
);
create table coverage_pass (
  only_row boolean primary key default true constraint coverage_pass_single check (only_row),
  taken_at timestamptz not null
) with (fillfactor = 10);
insert into coverage_pass (taken_at) values ('-infinity');
grant select, insert, update on coverage to lookup;
grant select, update on coverage_pass to lookup;
