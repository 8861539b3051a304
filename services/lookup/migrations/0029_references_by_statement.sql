-- That what a row names is there is asked once a statement for all its rows, by their keys. A foreign key asked a row at a time and marked each row
-- named, so that nobody deletes it meanwhile: of what a record of an observation cost here that was a third. The role of the service may neither delete
-- observations, companies and their domains nor change what rows name, and nobody else may delete one while a source record or a source key names it
-- (source_record_observation, company_source_key_of). The rows of before have been checked by the keys that go.

-- In the order in which writes lock them.
lock table company, observation, evidence, company_domain, domain_support, event_key in access exclusive mode;

alter table observation drop constraint observation_company_id_fkey;
alter table evidence drop constraint evidence_observation_id_fkey;
alter table domain_support
  drop constraint domain_support_observation_id_fkey,
  drop constraint domain_support_company_domain_id_fkey;
alter table event_key drop constraint event_key_observation_id_fkey;

-- Says which key a row of a table would have broken, as the server says it.
create function refuse_reference(referencing text, broken text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise foreign_key_violation using
    message = format('insert on table "%s" violates foreign key constraint "%s"', referencing, broken),
    schema = 'public', table = referencing, constraint = broken;
end $$;

create function check_observation_references() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written w where not exists (select from public.company c where c.id = w.company_id)) then
    perform public.refuse_reference('observation', 'observation_company_id_fkey');
  end if;
  return null;
end $$;
create trigger observation_references after insert on observation referencing new table as written
  for each statement execute function check_observation_references();

create function check_evidence_references() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written w where not exists (select from public.observation o where o.id = w.observation_id)) then
    perform public.refuse_reference('evidence', 'evidence_observation_id_fkey');
  end if;
  return null;
end $$;
create trigger evidence_references after insert on evidence referencing new table as written
  for each statement execute function check_evidence_references();

create function check_domain_support_references() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written w where not exists (select from public.observation o where o.id = w.observation_id)) then
    perform public.refuse_reference('domain_support', 'domain_support_observation_id_fkey');
  end if;
  if exists (select from written w
              where not exists (select from public.company_domain d where d.id = w.company_domain_id)) then
    perform public.refuse_reference('domain_support', 'domain_support_company_domain_id_fkey');
  end if;
  return null;
end $$;
create trigger domain_support_references after insert on domain_support referencing new table as written
  for each statement execute function check_domain_support_references();

create function check_event_key_references() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from written w where not exists (select from public.observation o where o.id = w.observation_id)) then
    perform public.refuse_reference('event_key', 'event_key_observation_id_fkey');
  end if;
  return null;
end $$;
create trigger event_key_references after insert on event_key referencing new table as written
  for each statement execute function check_event_key_references();
