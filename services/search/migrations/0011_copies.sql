-- What was written last, so that a copy of the index in the memory of a process knows which documents it lacks (decision 0137).
-- By triggers, so that code of the release before this one is noticed like any other.

-- Raised by every statement that changes documents. Its row is locked until the writer commits: versions grow in the order
-- of commits.
create table index_version (
  only_row boolean not null default true,
  version bigint not null default 0,
  constraint index_version_key primary key (only_row),
  constraint index_version_single check (only_row)
) with (fillfactor = 50);
insert into index_version default values;

-- The documents of the last versions, but of those that wrote more than a copy reads one by one; who lacks others reads all anew.
create table index_change (
  version bigint not null,
  observation_ids bigint[] not null,
  company_ids bigint[] not null,
  constraint index_change_key primary key (version)
);

create function note_index_change(observations bigint[], companies bigint[]) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  with next as (
    update public.index_version set version = version + 1 returning version
  ), forgotten as (
    delete from public.index_change where version <= (select version from next) - 500
  )
  insert into public.index_change (version, observation_ids, company_ids) select version, observations, companies from next
   where cardinality(observations) + cardinality(companies) <= 10000
  on conflict (version) do update set observation_ids = excluded.observation_ids, company_ids = excluded.company_ids
$$;

create function note_written_observations() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written) then
    perform public.note_index_change(array(select observation_id from written limit 10001), '{}');
  end if;
  return null;
end $$;
create trigger indexed_inserted after insert on indexed referencing new table as written
  for each statement execute function note_written_observations();
create trigger indexed_updated after update on indexed referencing new table as written
  for each statement execute function note_written_observations();
create trigger indexed_deleted after delete on indexed referencing old table as written
  for each statement execute function note_written_observations();

create function note_written_companies() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written) then
    perform public.note_index_change('{}', array(select company_id from written limit 10001));
  end if;
  return null;
end $$;
create trigger company_doc_inserted after insert on company_doc referencing new table as written
  for each statement execute function note_written_companies();
create trigger company_doc_updated after update on company_doc referencing new table as written
  for each statement execute function note_written_companies();
create trigger company_doc_deleted after delete on company_doc referencing old table as written
  for each statement execute function note_written_companies();

-- A table that was emptied says nothing of its rows: all copies are behind by what is not noted.
create function note_emptied() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.index_change;
  update public.index_version set version = version + 1;
  return null;
end $$;
create trigger indexed_emptied after truncate on indexed for each statement execute function note_emptied();
create trigger company_doc_emptied after truncate on company_doc for each statement execute function note_emptied();

grant select, update on index_version to search;
grant select, insert, update, delete on index_change to search;
