-- The trace in which the operation was accepted: bells and workers go on in it.
alter table job add column traceparent text;
