-- The history of the record in which a position was given. Null: by a process of the release before, or before there were epochs.
alter table feed add column epoch text;
alter table feed add column rebuild_epoch text;
