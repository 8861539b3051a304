-- Parts that several projectors share the change list by, where an index on OpenSearch has more than one (decision 0151). Those
-- of the generation that opensearch_feed names count; its position is then the smallest of theirs. Where none counts, one
-- projector applies the whole list. Rows that do not count keep their fence.
create table opensearch_part (
  parts integer not null,
  part integer not null,
  generation integer not null,
  tx bigint,
  seq bigint,
  epoch text,
  complete boolean not null default false,
  rebuild_tx bigint,
  rebuild_seq bigint,
  rebuild_epoch text,
  -- Whether the rebuild has come to the end of the list once; from then on the live feed brings what is new.
  rebuild_complete boolean not null default false,
  -- Which lead of this part has last moved it (decision 0059).
  fence bigint not null default 0,
  constraint opensearch_part_key primary key (parts, part),
  constraint opensearch_part_range check (part >= 0 and part < parts)
) with (fillfactor = 50);
grant select, insert, update on opensearch_part to search;

-- Leases of parts that a process asks for which has fewer of them than another (decision 0151).
create table part_claim (
  lease text not null,
  claimed_at timestamptz not null,
  constraint part_claim_key primary key (lease)
);
grant select, insert, update, delete on part_claim to search;
