-- What entries of a subscription add up to, up to and including an instant: one row for every 256 of them. Instants of a
-- subscription grow with its commits, so that nothing is ever written before one of its committed entries, and a row is true for
-- ever. An interval is the difference of two rows and the few entries beside them, however many it holds.
create table entry_total (
  subscription_id bigint not null,
  settled_at timestamptz not null,
  entries bigint not null,
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  primary key (subscription_id, settled_at)
);

-- Units of the entries after `low` and up to `high`.
create function units_between(
  subscription bigint, low timestamptz, high timestamptz,
  out request_units bigint, out delivered_units bigint, out fresh_evidence_units bigint)
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  opening entry_total;
  closing entry_total;
  rest record;
begin
  select * into opening
  from entry_total t
  where t.subscription_id = subscription and t.settled_at > low and t.settled_at <= high
  order by t.settled_at limit 1;
  select coalesce(sum(e.request_units), 0), coalesce(sum(e.delivered_units), 0), coalesce(sum(e.fresh_evidence_units), 0)
  into request_units, delivered_units, fresh_evidence_units
  from entry e
  where e.subscription_id = subscription and e.settled_at > low and e.settled_at <= coalesce(opening.settled_at, high);
  if opening.settled_at is null then return; end if;
  select * into closing
  from entry_total t
  where t.subscription_id = subscription and t.settled_at >= opening.settled_at and t.settled_at <= high
  order by t.settled_at desc limit 1;
  select coalesce(sum(e.request_units), 0) as request_units, coalesce(sum(e.delivered_units), 0) as delivered_units,
         coalesce(sum(e.fresh_evidence_units), 0) as fresh_evidence_units
  into rest
  from entry e
  where e.subscription_id = subscription and e.settled_at > closing.settled_at and e.settled_at <= high;
  request_units := request_units + closing.request_units - opening.request_units + rest.request_units;
  delivered_units := delivered_units + closing.delivered_units - opening.delivered_units + rest.delivered_units;
  fresh_evidence_units := fresh_evidence_units + closing.fresh_evidence_units - opening.fresh_evidence_units
    + rest.fresh_evidence_units;
end $$;
revoke all on function units_between(bigint, timestamptz, timestamptz) from public;
grant execute on function units_between(bigint, timestamptz, timestamptz) to ledger;

-- How far each subscription has been compared: its last instant then, holds up to `holds_at` but for those that were open.
create table subscription_check (
  subscription_id bigint primary key,
  checked_at timestamptz not null,
  holds_at timestamptz not null,
  open_operation_ids bigint[] not null
) with (fillfactor = 70);

-- Entries and holds of a stretch in which something was not as it should be: read in every pass until it is.
create table suspect_range (
  subscription_id bigint not null,
  after_at timestamptz not null,
  until_at timestamptz not null,
  primary key (subscription_id, after_at)
);

-- One row: what the last passes said, and up to where what is old has been read again.
create table drift_check (
  only_row boolean primary key default true constraint drift_check_single check (only_row),
  completed_at timestamptz not null default clock_timestamp(),
  differences bigint,
  reread_subscription_id bigint not null default 0,
  reread_at timestamptz not null default '-infinity'
);
insert into drift_check default values;

grant select, insert on entry_total to ledger;
grant select, insert, update on subscription_check to ledger;
grant select, insert, update, delete on suspect_range to ledger;
grant select, update on drift_check to ledger;

-- Entries are changed by hand alone: what was added up from there on is forgotten, and the subscription compared anew.
create function forget_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('ledger.retiring', true) = 'on' then return null; end if;
  delete from public.entry_total t
  using (select subscription_id, min(settled_at) as settled_at from gone group by subscription_id) g
  where t.subscription_id = g.subscription_id and t.settled_at >= g.settled_at;
  delete from public.subscription_check c using gone where c.subscription_id = gone.subscription_id;
  return null;
end $$;
create function forget_moved_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.entry_total t
  using (
    select subscription_id, min(settled_at) as settled_at
    from (select subscription_id, settled_at from gone union all select subscription_id, settled_at from come) either
    group by subscription_id
  ) g
  where t.subscription_id = g.subscription_id and t.settled_at >= g.settled_at;
  delete from public.subscription_check c
  using (select subscription_id from gone union select subscription_id from come) either
  where c.subscription_id = either.subscription_id;
  return null;
end $$;
create function forget_all_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  truncate public.entry_total, public.subscription_check, public.suspect_range;
  return null;
end $$;
create trigger entry_deleted after delete on entry referencing old table as gone
  for each statement execute function forget_totals();
create trigger entry_changed after update on entry referencing old table as gone new table as come
  for each statement execute function forget_moved_totals();
create trigger entry_emptied after truncate on entry
  for each statement execute function forget_all_totals();

create or replace function prune_postings(older_than timestamptz, max_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  pruned bigint;
begin
  if older_than > clock_timestamp() - interval '367 days' then
    raise exception 'postings are kept for 367 days at least' using errcode = 'check_violation';
  end if;
  perform set_config('ledger.retiring', 'on', true);
  with old as (
    select h.operation_id
    from public.hold h
    left join public.entry e on e.operation_id = h.operation_id
    left join public.subscription s on s.id = h.subscription_id
    where h.created_at < older_than
      and h.state <> 'held'
      and (e.operation_id is null
           or (e.settled_at < older_than
               and e.settled_at <= least(s.window_tail_at, s.week_tail_at, s.period_tail_at)))
    order by h.created_at
    limit max_rows
  ), entries as (
    delete from public.entry e using old where e.operation_id = old.operation_id
  )
  delete from public.hold h using old where h.operation_id = old.operation_id;
  get diagnostics pruned = row_count;
  return pruned;
end $$;
