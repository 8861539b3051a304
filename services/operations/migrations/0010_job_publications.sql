-- The job table is short: it holds what waits or runs.
alter table job
  add column publish_at timestamptz not null default 'epoch',
  add column publications integer not null default 0;
alter table job alter column publish_at drop default;
update job set publish_at = ring_at, publications = rings;
create index job_publish on job (publish_at);

create function keep_publications_and_rings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.publish_at := coalesce(new.publish_at, new.ring_at);
    new.ring_at := new.publish_at;
    return new;
  end if;
  if new.publish_at is distinct from old.publish_at then
    new.ring_at := new.publish_at;
  else
    new.publish_at := new.ring_at;
  end if;
  if new.publications is distinct from old.publications then
    new.rings := new.publications;
  else
    new.publications := new.rings;
  end if;
  return new;
end
$$;

create trigger job_publications_and_rings before insert or update of publish_at, publications, ring_at, rings on job
  for each row when (new.publish_at is distinct from new.ring_at or new.publications is distinct from new.rings)
  execute function keep_publications_and_rings();
