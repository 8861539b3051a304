-- Expands (0006 to 0010). An operation is in a `state` (it was called a point), and a job's message is published, at
-- `publish_at`, so many times (`publications`; they were called rings). While a release is rolled out, and after it is rolled
-- back, code that knows the old names alone runs beside code that knows the new names alone: triggers keep the two equal,
-- whichever was written. The next release contracts: it drops the triggers, `point`, `ring_at`, `rings` and their indexes, and
-- puts the constraints on `point` upon `state`; the code of this release names none of them. Each file is a transaction of its
-- own, so that what keeps calls waiting reads no table.

-- A constant default rewrites no table. Rows that are there get their state in 0008 and 0009, or when they are next written.
alter table operation add column state text not null default 'delivered';
alter table operation alter column state drop default;

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

grant update (state) on operation to operations;
