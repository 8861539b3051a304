-- Companies, the names sources have for them, and their websites.

create sequence company_id_seq as bigint;

-- survivor_id names the canonical company and is flat: a company that others were merged into was not merged itself; its own
-- id while it was never merged. The row of a canonical company is also the lock of everything recorded about its group.
create table company (
  id bigint primary key default nextval('company_id_seq'),
  survivor_id bigint not null,
  name text not null constraint company_name_length check (char_length(name) between 1 and 500),
  country text not null constraint company_country_known check (country in ('CA', 'US')),
  version bigint not null default 1,
  survives boolean not null generated always as (survivor_id = id) stored,
  survivor_survives boolean not null generated always as (true) stored,
  constraint company_survival unique (id, survives),
  constraint company_survivor_flat foreign key (survivor_id, survivor_survives) references company (id, survives)
) with (fillfactor = 75);
alter sequence company_id_seq owned by company.id;
create index company_survivor on company (survivor_id);

-- A source key is claimed before its company is written, hence deferred.
create table company_source_key (
  source text not null constraint company_source_length check (char_length(source) between 1 and 100),
  key text not null constraint company_key_length check (char_length(key) between 1 and 512),
  company_id bigint not null constraint company_source_key_of references company (id) deferrable initially deferred,
  primary key (source, key)
);
create index company_source_key_company on company_source_key (company_id);

create table company_identifier (
  scheme text not null constraint identifier_scheme_known check (scheme in ('cik', 'lei', 'uei', 'bn')),
  value text not null constraint identifier_value_length check (char_length(value) between 1 and 64),
  company_id bigint not null references company (id),
  primary key (scheme, value)
);

create table domain (
  id bigint generated always as identity primary key,
  hostname text not null constraint domain_hostname_lower check (hostname = lower(hostname)),
  constraint domain_hostname_unique unique (hostname)
);

-- declared: the source's latest record of the company still names the hostname. Known once, a hostname stays known.
create table company_domain (
  id bigint generated always as identity primary key,
  company_id bigint not null references company (id),
  domain_id bigint not null references domain (id),
  source text not null,
  declared boolean not null default true,
  constraint company_domain_unique unique (company_id, domain_id, source)
);
create index company_domain_domain on company_domain (domain_id);

grant select on migration to lookup;
grant select, insert on company, company_source_key, company_identifier, domain, company_domain to lookup;
grant update (name, country, version) on company to lookup;
grant update (declared) on company_domain to lookup;
grant usage on sequence company_id_seq to lookup;
