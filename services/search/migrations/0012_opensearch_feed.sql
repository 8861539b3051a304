-- How far an index on OpenSearch is, where there is one: as `feed`, which stays that of the index in this database, so that
-- both can be filled from one record and a search can change from one to the other at once.
create table opensearch_feed (
  only_row boolean not null default true,
  tx bigint,
  seq bigint,
  -- The history of the record in which a position was given.
  epoch text,
  complete boolean not null default false,
  -- Names the indices that are written; those of the one before are searched while it is rebuilt.
  generation integer not null default 1,
  rebuilding boolean not null default false,
  rebuild_tx bigint,
  rebuild_seq bigint,
  rebuild_epoch text,
  -- Which lead has last moved it (decision 0059).
  fence bigint not null default 0,
  -- Which version of the analysis of texts all documents were written with, and that of a rebuild.
  analysis_version integer,
  rebuild_analysis_version integer,
  -- The first day whose events are in the generation that is searched, and in the one that a rebuild makes; null: all are.
  kept_from date,
  rebuild_kept_from date,
  constraint opensearch_feed_key primary key (only_row),
  constraint opensearch_feed_single check (only_row)
);
insert into opensearch_feed default values;
grant select, update on opensearch_feed to search;
