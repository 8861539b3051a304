-- Expands. An operation is in a `state` (it was called a point), and a job's message is published, at `publish_at`, so many
-- times (`publications`; they were called rings). While a release is rolled out, and after it is rolled back, code that
-- knows the old names alone runs beside code that knows the new names alone: a trigger keeps the two equal, whichever was
-- written. The next release contracts: it drops the triggers, `point`, `ring_at`, `rings` and their indexes, and puts the
-- constraints on `point` upon `state`; the code of this release names none of them.

-- Both tables or neither: a process that stores a result uses job before operation, one that claims a job operation before
-- job. Whichever is locked first, one of them may hold the other: waiting is given up before a deadlock would be found there.
do $$
declare
  usual text := current_setting('lock_timeout');
begin
  perform set_config('lock_timeout', '300ms', true);
  for attempt in 1..10 loop
    begin
      lock table operation, job in access exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 10 then
        raise;
      end if;
      perform pg_sleep(0.1);
    end;
  end loop;
  perform set_config('lock_timeout', usual, true);
end
$$;

-- A constant default rewrites no table: nearly all operations are delivered, and only the others are written here.
alter table operation add column state text not null default 'delivered';
alter table operation alter column state drop default;
update operation set state = point where point <> 'delivered';
-- Every write is held to it; `not valid` spares reading the table once more.
alter table operation add constraint operation_state_is_point check (state = point) not valid;
create index operation_unsettled on operation (id) where state in ('created', 'withdrawing', 'stored', 'failing');

create function keep_state_and_point() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.state := coalesce(new.state, new.point);
    new.point := new.state;
  elsif new.state is distinct from old.state then
    new.point := new.state;
  else
    new.state := new.point;
  end if;
  return new;
end
$$;

create trigger operation_state_and_point before insert or update of state, point on operation
  for each row when (new.state is distinct from new.point) execute function keep_state_and_point();

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

grant update (state) on operation to operations;
