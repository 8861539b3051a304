-- The subscription's row when its counters were last found to be right: while it is the same they are not added up again.
alter table subscription_check add column row_digest bigint;
