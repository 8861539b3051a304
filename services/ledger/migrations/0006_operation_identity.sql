-- Expands. The identity of the operation that a hold, or a tombstone, was written for; a number may be given again when the
-- database of operations loses its end, an identity never is. Empty where the release before wrote the row.
alter table hold add column operation_identity uuid;
