-- What all processes together have taken of limits that are no allowance (decision 0072). Not logged: after a loss every owner begins
-- anew, and no commit waits for the disk. Rows change in place.
create unlogged table call_bucket (
  owner text not null,
  -- Calls that are left, a part of one among them.
  calls double precision not null,
  filled_at timestamptz not null,
  constraint call_bucket_key primary key (owner)
) with (fillfactor = 50);

create unlogged table call_place (
  owner text not null,
  holder uuid not null,
  places integer not null,
  until timestamptz not null,
  constraint call_place_key primary key (owner, holder)
) with (fillfactor = 50);

grant select, insert, update, delete on call_bucket, call_place to ledger;

-- Takes calls out of buckets: all that are needed as far as there are, and of what is left a quarter at most, so that many processes
-- find some where little is left. Buckets are locked in one order. A clock that was set back fills nothing.
create function take_calls(
  owners text[], needed integer[], ahead integer[], unused integer[], per_second integer[], burst integer[]
) returns table (at bigint, taken integer, calls_left double precision)
language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  wish record;
  bucket record;
  full_now double precision;
begin
  for wish in
    select w.* from unnest(owners, needed, ahead, unused, per_second, burst) with ordinality
      as w (owner, needed, ahead, unused, per_second, burst, at) order by w.owner
  loop
    insert into public.call_bucket (owner, calls, filled_at) values (wish.owner, wish.burst, clock_timestamp())
    on conflict on constraint call_bucket_key do nothing;
    select b.calls, b.filled_at into bucket from public.call_bucket b where b.owner = wish.owner for update;
    full_now := least(wish.burst, coalesce(bucket.calls, wish.burst) + wish.unused
      + wish.per_second * greatest(0, coalesce(extract(epoch from clock_timestamp() - bucket.filled_at), 0)));
    at := wish.at;
    taken := least(wish.needed, floor(full_now));
    taken := taken + least(wish.ahead, floor((full_now - taken) / 4));
    calls_left := full_now - taken;
    update public.call_bucket b set calls = calls_left, filled_at = clock_timestamp() where b.owner = wish.owner;
    return next;
  end loop;
end $$;

-- Gives a process places among those of all: never fewer than it occupies, never more than others leave. A process that was not heard
-- of for `kept` has none; neither has one whose time lies farther ahead than that, since then the clock was set back.
create function take_places(
  asking uuid, kept interval, owners text[], occupied integer[], wanted integer[], most integer[]
) returns table (at bigint, places integer)
language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  wish record;
  left_by_others integer;
begin
  for wish in
    select w.* from unnest(owners, occupied, wanted, most) with ordinality as w (owner, occupied, wanted, most, at)
    order by w.owner
  loop
    perform pg_advisory_xact_lock(hashtextextended('call_place/' || wish.owner, 0));
    select wish.most - coalesce(sum(p.places), 0) into left_by_others
    from public.call_place p
    where p.owner = wish.owner and p.holder <> asking
      and p.until > clock_timestamp() and p.until <= clock_timestamp() + kept;
    at := wish.at;
    places := greatest(wish.occupied, least(wish.wanted, left_by_others));
    insert into public.call_place as p (owner, holder, places, until)
    values (wish.owner, asking, take_places.places, clock_timestamp() + kept)
    on conflict on constraint call_place_key do update set places = excluded.places, until = excluded.until;
    return next;
  end loop;
end $$;

-- Buckets that are full again and places that nobody renews, so many of each at most.
create function forget_call_limits(unused_for interval, max_rows integer) returns bigint
language sql set search_path = pg_catalog, public, pg_temp
as $$
  with buckets as (
    delete from public.call_bucket where owner in (
      select owner from public.call_bucket
      where filled_at not between clock_timestamp() - unused_for and clock_timestamp() + unused_for
      limit max_rows for update skip locked)
    returning 1
  ), places as (
    delete from public.call_place where (owner, holder) in (
      select owner, holder from public.call_place
      where until not between clock_timestamp() - unused_for and clock_timestamp() + unused_for
      limit max_rows for update skip locked)
    returning 1
  )
  select (select count(*) from buckets) + (select count(*) from places)
$$;
