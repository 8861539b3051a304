-- Which companies of different sources are one, how that is known, and how it is taken back.

-- The normalised legal name (resolution/legal-name.ts); null until it was computed, empty when it identifies no company by itself.
alter table company add column name_key text;
create index company_name_key on company (country, name_key) where name_key <> '';
create index company_without_name_key on company (id) where name_key is null;
create index company_identifier_company on company_identifier (company_id);

-- company_id was canonical until it was merged; member_ids moved with it, itself among them.
create table company_merge (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  company_id bigint not null references company (id),
  into_id bigint not null references company (id),
  rule text not null constraint company_merge_rule_known check (rule in ('identifier', 'hostname', 'name', 'operator')),
  member_ids bigint[] not null constraint company_merge_moves_itself check (company_id = any(member_ids)),
  undone_at timestamptz,
  constraint company_merge_of_two check (company_id <> into_id)
);
create index company_merge_company on company_merge (company_id, id);

-- Do-not-merge pairs: companies that were split, each pair once; no rule merges their groups again.
create table company_apart (
  company_id bigint not null references company (id),
  other_id bigint not null references company (id),
  primary key (company_id, other_id),
  constraint company_apart_ordered check (company_id < other_id)
);
create index company_apart_other on company_apart (other_id);

alter table audit
  drop constraint audit_action_known,
  add constraint audit_action_known check (action in (
    'withdraw', 'restore', 'take_down', 'lift', 'merge', 'split', 'unverify', 'verify', 'register_source')),
  alter column observation_id drop not null,
  add column company_id bigint,
  add column other_company_id bigint,
  add column take_down_id bigint,
  add column source text,
  add constraint audit_of_something
    check (num_nonnulls(observation_id, company_id, take_down_id, source) >= 1);

grant select, insert on company_merge, company_apart to lookup;
grant update (undone_at) on company_merge to lookup;
grant update (survivor_id, name_key) on company to lookup;
grant delete on company_apart to lookup;
