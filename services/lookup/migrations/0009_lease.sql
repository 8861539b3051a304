-- Which process does what one of many does, and until when by the clock of this database (decision 0059). An update every
-- few seconds; as no indexed column changes and pages have room, it stays in its page.
create table lease (
  name text not null,
  holder text not null,
  -- Raised by every taking: a higher one has seen all that a lower one did.
  fence bigint not null,
  until timestamptz not null,
  constraint lease_key primary key (name)
) with (fillfactor = 50);

grant select, insert, update on lease to lookup;
