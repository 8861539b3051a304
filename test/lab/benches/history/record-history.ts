import type pg from 'pg';
import type { System } from './system.ts';

export interface RecordVolume {
  readonly observations: number;
  readonly companies: number;
  readonly seed: number;
}

const MONTHS = 24;
const SOURCE = 'history';
const SENTENCES = 5_000;
const VOCABULARY = 4_000;
/** A source publishes at most once an hour. */
const RUNS = MONTHS * 30 * 24;

/**
 * Writes a record of 24 months: companies with one website each, observations with evidence,
 * changes and raw records. No word occurs in the sample, so that sample queries match equally in
 * any record.
 */
export async function generateRecord(
  system: System,
  volume: RecordVolume,
  now: Date,
  onMonth: (month: number) => void,
): Promise<void> {
  await using lookup = await system.connect('lookup');
  await lookup.query('set session_replication_role = replica');
  await writeSentences(lookup, volume.seed);
  await writeCompanies(lookup, volume.companies);
  const from = new Date(now.getTime() - MONTHS * 30 * 86_400_000);
  await using acquisition = await system.connect('acquisition');
  await partitionRawRecords(acquisition);
  for (let month = 0; month < MONTHS; month += 1) {
    const share = (nth: number) => Math.round((volume.observations * nth) / MONTHS);
    const [first, last] = [share(month) + 1, share(month + 1)];
    await writeObservations(lookup, { ...volume, first, last, from, now });
    await writeRawRecords(acquisition, { ...volume, first, last, from, now });
    onMonth(month);
  }
  await lookup.query(
    `select setval('company_id_seq', ${volume.companies}), setval('observation_id_seq', ${volume.observations})`,
  );
  await acquisition.query(
    `insert into source_run (source, trigger, state, started_at, heartbeat_at, ended_at)
     select '${SOURCE}', 'schedule', 'done', at, at + interval '1 minute', at + interval '1 minute'
     from generate_series(1, ${RUNS}) n, lateral (select ${instantSql('n', { ...volume, observations: RUNS, from, now })} as at) t`,
  );
  await Promise.all([lookup.query('vacuum (analyze)'), acquisition.query('vacuum (analyze)')]);
}

interface Span extends RecordVolume {
  readonly first: number;
  readonly last: number;
  readonly from: Date;
  readonly now: Date;
}

/**
 * Creates a temporary table of sentences of made-up words. Low word numbers are the most frequent.
 */
async function writeSentences(lookup: pg.Client, seed: number): Promise<void> {
  await lookup.query(`
    create temporary table sentence as
    select n, (
      select string_agg('zq' || translate(to_char(floor(${VOCABULARY} * power(
               (hashint8extended(n * 100 + m, ${seed}) & 1048575) / 1048576.0, 3)), 'FM0000'), '0123456789', 'abcdefghij'), ' ')
      from generate_series(1, 12) m) as words
    from generate_series(0, ${SENTENCES - 1}) n`);
  await lookup.query('alter table sentence add primary key (n)');
  await lookup.query('analyze sentence');
}

async function writeCompanies(lookup: pg.Client, companies: number): Promise<void> {
  const all = `from generate_series(1, ${companies}) n`;
  await lookup.query(`
    insert into company (id, survivor_id, name, country, name_key)
    select n, n, 'Historic ' || n, case n % 2 when 0 then 'CA' else 'US' end, 'historic ' || n ${all}`);
  await lookup.query(
    `insert into company_source_key (source, source_key, company_id) select '${SOURCE}', 'c' || n, n ${all}`,
  );
  await lookup.query(`insert into domain (hostname) select 'c' || n || '.history.example' ${all}`);
  await lookup.query(`
    insert into company_domain (company_id, domain_id, source)
    select substring(hostname from '\\d+')::bigint, id, '${SOURCE}' from domain where hostname like '%.history.example'`);
}

async function writeObservations(lookup: pg.Client, span: Span): Promise<void> {
  await lookup.query('begin');
  await lookup.query(`
    create temporary table written on commit drop as
    select g.id, least(${span.companies}, 1 + floor(${span.companies} * power(
             (hashint8extended(g.id, ${span.seed}) & 1048575) / 1048576.0, 2)))::bigint as company_id,
           (array['procurement_request', 'facility_expansion', 'job_posting', 'partnership', 'product_launch'])[1 + g.id % 5] as kind,
           a.words || ' ' || g.id as fact, b.words || '. ' || a.words || ' ' || g.id || '.' as excerpt,
           date_trunc('milliseconds', ${instantSql('g.id', span)}) as at
    from generate_series(${span.first}::bigint, ${span.last}::bigint) g (id)
    join sentence a on a.n = (hashint8extended(g.id, ${span.seed + 1}) & 1048575) % ${SENTENCES}
    join sentence b on b.n = (hashint8extended(g.id, ${span.seed + 2}) & 1048575) % ${SENTENCES}
    order by g.id`);
  await lookup.query(`
    insert into observation (id, company_id, source, origin, kind, demand_class, observed_fact, why_it_may_matter, country,
      confidence, occurred_at, observed_at, recorded_at, withdrawn_at, withdrawn_reason, fact_hash)
    select id, company_id, '${SOURCE}', '${SOURCE}', kind,
           case kind when 'procurement_request' then 'explicit_request' else 'proxy' end, fact, 'Made up.', c.country, 0.8, at, at, at,
           case when id % 50 = 0 then at end, case when id % 50 = 0 then 'made up' end,
           sha256(convert_to(jsonb_build_array(kind, fact, 'Made up.', c.country, extract(epoch from at), '{}'::text[])::text, 'UTF8'))
    from written w, lateral (select case company_id % 2 when 0 then 'CA' else 'US' end as country) c`);
  await lookup.query(`
    insert into evidence (observation_id, source_uri, excerpt, occurred_at, observed_at, source, passage_hash, raw_record_hash,
      text_hash, extractor_version)
    select id, uri, excerpt, at, at, '${SOURCE}', sha256(convert_to(jsonb_build_array(uri, excerpt)::text, 'UTF8')),
           ${RAW_HASH}, ${RAW_HASH}, '1'
    from written, lateral (select 'https://history.example/' || id as uri) u`);
  await lookup.query(`
    insert into source_record (source, source_key, observation_id, content_hash, seen_at)
    select '${SOURCE}', 'r' || id, id, ${RAW_HASH}, at from written`);
  await lookup.query(`
    insert into event_key (scheme, value, kind, observation_id)
    select 'solicitation', 'h' || id, kind, id from written where kind = 'procurement_request'`);
  await lookup.query(`
    insert into domain_support (company_domain_id, observation_id)
    select cd.id, w.id from written w join company_domain cd on cd.company_id = w.company_id and cd.source = '${SOURCE}'
    where w.id % 4 = 1`);
  await lookup.query(`insert into change (observation_id) select id from written order by id`);
  await lookup.query(`insert into change (company_id) select distinct company_id from written where id % 4 = 1`);
  await lookup.query('commit');
}

async function partitionRawRecords(acquisition: pg.Client): Promise<void> {
  await acquisition.query(`set timezone = 'UTC'`);
  await acquisition.query(`
    do $$
    declare
      month timestamptz;
      name text;
    begin
      for month in select generate_series(date_trunc('month', now()) - interval '${MONTHS + 1} months', date_trunc('month', now()) - interval '1 month', interval '1 month')
      loop
        name := to_char(month, '"raw_record_"YYYY_MM');
        execute format('create table %I (like raw_record including defaults including constraints including storage)', name);
        execute format('alter table raw_record attach partition %I for values from (%L) to (%L)', name, month, month + interval '1 month');
        execute format('alter table %I owner to acquisition_owner', name);
      end loop;
    end
    $$`);
  await acquisition.query('select create_partitions()');
}

async function writeRawRecords(acquisition: pg.Client, span: Span): Promise<void> {
  await acquisition.query(`
    insert into raw_record (source, hash, source_key, uri, document_uri, fetched_at, last_seen_at, content, content_bytes, fields,
      extractor_version, text_hash)
    select '${SOURCE}', ${RAW_HASH}, 'r' || id, 'https://history.example/' || id, 'https://history.example/', at, at,
           content, length(content), '{title,date}', 1, ${RAW_HASH}
    from (
      select id, ${instantSql('id', span)} as at, convert_to(repeat(md5(id::text), 8), 'UTF8') as content
      from generate_series(${span.first}::bigint, ${span.last}::bigint) id
    ) r`);
}

const RAW_HASH = `sha256(convert_to('raw ' || id, 'UTF8'))`;

function instantSql(nth: string, { from, now, observations }: Pick<Span, 'from' | 'now' | 'observations'>): string {
  const stepSeconds = (now.getTime() - from.getTime()) / 1_000 / (observations + 1);
  return `'${from.toISOString()}'::timestamptz + ${nth} * ${stepSeconds} * interval '1 second'`;
}
