-- What a node of OpenSearch must have seen to be searched (decision 0152). Whatever becomes visible there leaves a number in an index that
-- every node holds: `stamp` is the last one given out, `stamped` the one that stands with the position. 0: none yet.
alter table opensearch_feed add column stamp bigint not null default 0, add column stamped bigint not null default 0;
