-- A stretch of numbers below `back_to` of which a pass has compared only the first: from where it goes, and up to where it has been
-- compared. Null between two stretches.
alter table reconciliation add column stretch_from bigint, add column compared_to bigint;
