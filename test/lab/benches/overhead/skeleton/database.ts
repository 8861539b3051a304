import pg from 'pg';

/** Companies that are asked for, subscriptions that pay: as many as with the bare handler and the service. */
export const COMPANIES = 1_000;
export const SUBSCRIPTIONS = 200;

const DATABASE = 'skeleton';

const TABLES = `
  create table company (id bigint primary key, name text not null);
  create table operation (id bigint generated always as identity primary key, request_key uuid not null unique, company_id bigint not null,
                          state text not null) with (fillfactor = 50);
  create table balance (subscription_id bigint primary key, used bigint not null) with (fillfactor = 50);
  create table posting (id bigint generated always as identity primary key, operation_id bigint not null, subscription_id bigint not null);
  insert into company select i, 'Company ' || i from generate_series(1, ${COMPANIES}) i;
  insert into balance select i, 0 from generate_series(0, ${SUBSCRIPTIONS} - 1) i;`;

/** A database with what the skeleton reads and writes, in the given server; its address. */
export async function createSkeletonDatabase(superuserUrl: string): Promise<string> {
  await run(superuserUrl, `create database ${DATABASE}`);
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  await run(url.href, TABLES);
  return url.href;
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
