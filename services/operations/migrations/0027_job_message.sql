-- Which message of the stream tells of a job that waits: one a job, taken out when it is claimed. The release before leaves what
-- was published to be delivered, and it is then found to be of no use.
alter table job add column message_sequence bigint;
-- Attempts one after the other that another service ended; `tries` are the takes of the sweeper alone.
alter table job add column outages integer not null default 0;
