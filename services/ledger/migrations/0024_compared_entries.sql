-- Entries were compared up to here: up to 255 of them come after the last total. Null where only totals say how far.
alter table subscription_check add column entries_at timestamptz;
