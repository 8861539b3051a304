-- How an operation was accepted: it decides how long sources may be asked for it, whoever runs it.
alter table operation add column background boolean not null default false;
