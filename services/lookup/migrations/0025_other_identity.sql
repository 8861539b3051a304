-- What bears out who a company is: numbers that several may share, and names that it bore before (decisions 0122 and 0123).

create table company_shared_identifier (
  scheme text not null constraint shared_identifier_scheme_known check (scheme in ('ein', 'duns', 'cage', 'isin', 'bic')),
  value text not null constraint shared_identifier_value_length check (char_length(value) between 1 and 64),
  company_id bigint not null references company (id),
  primary key (company_id, scheme, value)
);
create index company_shared_identifier_value on company_shared_identifier (scheme, value);

-- name_key: as in company. Days are those of the source; null: it does not say.
create table company_former_name (
  company_id bigint not null references company (id),
  name text not null constraint company_former_name_length check (char_length(name) between 1 and 500),
  name_key text not null,
  since timestamptz,
  until timestamptz,
  primary key (company_id, name)
);
create index company_former_name_key on company_former_name (name_key) where name_key <> '';

alter table company_merge
  drop constraint company_merge_rule_known,
  add constraint company_merge_rule_known
    check (rule in ('identifier', 'hostname', 'shared_identifier', 'name', 'former_name', 'operator')) not valid;

-- By which rules the normalised names of all companies were made; the service walks through them when its own are newer.
create table name_key_version (
  lone boolean primary key default true constraint name_key_version_lone check (lone),
  version int not null
);

grant select, insert on company_shared_identifier to lookup;
grant select, insert on company_former_name to lookup;
grant update (since, until, name_key) on company_former_name to lookup;
grant select, insert on name_key_version to lookup;
grant update (version) on name_key_version to lookup;
