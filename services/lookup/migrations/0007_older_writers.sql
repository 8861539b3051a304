-- Code from before provenance writes on while pods are replaced, and after a rollback: what it does not know is taken
-- from what it writes, as 0006 did with the rows of its time. Nothing is filled on an update: that would hide a change
-- made behind the service's back.

create function observation_fact_hash() returns trigger language plpgsql as $$
begin
  new.fact_hash := sha256(convert_to(jsonb_build_array(new.kind, new.observed_fact, new.why_it_may_matter, new.country,
    extract(epoch from new.occurred_at), new.categories)::text, 'UTF8'));
  return new;
end
$$;

create trigger observation_of_older_writer before insert on observation
  for each row when (new.fact_hash is null) execute function observation_fact_hash();

create function evidence_of_older_writer() returns trigger language plpgsql as $$
begin
  new.source := coalesce(new.source, (select o.source from observation o where o.id = new.observation_id));
  new.passage_hash := coalesce(new.passage_hash,
    sha256(convert_to(jsonb_build_array(new.source_uri, new.excerpt)::text, 'UTF8')));
  return new;
end
$$;

create trigger evidence_of_older_writer before insert on evidence
  for each row when (new.source is null or new.passage_hash is null) execute function evidence_of_older_writer();
