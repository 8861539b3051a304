-- When a host's newest slot was reserved: where that lies ahead, the clock was set back since by at least as much.
alter table host_pace add column reserved_at timestamptz not null default clock_timestamp();
