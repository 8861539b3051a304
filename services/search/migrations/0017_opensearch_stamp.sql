-- What a node of OpenSearch must have seen to be searched (decision 0152): whatever becomes visible there leaves a number in an index that
-- every node holds.
create table opensearch_stamp (
  only_row boolean not null default true,
  -- The last number given out.
  given bigint not null default 0,
  -- The one that stands with the position of opensearch_feed, and the term of the primary that took it; 0: none yet.
  number bigint not null default 0,
  term bigint not null default 0,
  constraint opensearch_stamp_key primary key (only_row),
  constraint opensearch_stamp_single check (only_row)
);
insert into opensearch_stamp default values;
grant select, update on opensearch_stamp to search;
