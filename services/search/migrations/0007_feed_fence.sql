-- Which lead has last moved the feed: one that another has followed moves it no more (decision 0059). Code of the release
-- before this one names none and is guarded by the position alone.
alter table feed add column fence bigint not null default 0;
