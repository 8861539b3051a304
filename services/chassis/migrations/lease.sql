-- An update changes no indexed column and finds room in its page, so it stays a HOT update
-- (decision 0006).
create table lease (
  name text not null,
  holder text not null,
  -- Raised each time the lease is acquired.
  fence bigint not null,
  until timestamptz not null,
  constraint lease_key primary key (name)
) with (fillfactor = 50);
