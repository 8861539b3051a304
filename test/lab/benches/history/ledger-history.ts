import type pg from 'pg';
import { loadPayers } from './accounts.ts';
import { columnsOf, copySql, drawSql } from './draw.ts';
import type { Stretch } from './months.ts';
import type { Generation } from './operations-history.ts';
import { shareOut, vacuumPartition } from './share-out.ts';
import type { Databases, Session } from './system.ts';

/**
 * Writes holds and entries of generated operations as copies of the templates, and sets matching
 * counters.
 */
export async function generatePostings(databases: Databases, generation: Generation): Promise<void> {
  const { stretches, draw, now, byMonth, onStretch } = generation;
  await using client = await openWriter(databases, generation);
  if (byMonth) await partitionByMonth(client, stretches);
  const [holds, entries] = [await columnsOf(client, 'hold'), await columnsOf(client, 'entry')];
  const write = async (session: Session, stretch: Stretch) => {
    await session.query('begin');
    await session.query(
      `create temporary table drawn on commit drop as
       select d.*, d.created_at + interval '200 milliseconds' as settled_at from (${drawSql(stretch, draw, now)}) d`,
    );
    const posting = { operation_id: 'd.id', subscription_id: 'd.subscription_id' };
    await session.query(
      `${copySql('hold', holds, {
        ...posting,
        operation_identity: 'd.identity',
        created_at: `d.created_at + interval '10 milliseconds'`,
        state: `case when d.failed then 'void' else 'posted' end`,
      })} from drawn d join template_hold t on t.number = d.template`,
    );
    await session.query(
      `${copySql('entry', entries, { ...posting, settled_at: 'd.settled_at' })}
       from drawn d join template_entry t on t.number = d.template where not d.failed`,
    );
    await session.query('commit');
    for (const table of ['hold', 'entry']) await vacuumPartition(session, table, 'operation_id', stretch);
    onStretch(stretch);
  };
  // Without monthly partitions, older rows have no partition.
  const written = stretches.filter(({ count, isKept }) => count > 0 && (byMonth || isKept));
  await shareOut(written, () => openWriter(databases, generation), write);
  const { subscriptionId } = generation.templatePayer;
  await client.query(`delete from entry where subscription_id = ${subscriptionId}`);
  await client.query(`delete from hold where subscription_id = ${subscriptionId}`);
  await setCounters(client);
  await noteAsCompared(client);
  await client.query(`update drift_check set differences = null, scrub_subscription_id = 0, scrub_at = '-infinity'`);
  await client.query('vacuum (analyze) account, credential, subscription, subscription_limit');
  await client.query('analyze');
}

async function openWriter(databases: Databases, { payers, templatePayer }: Generation): Promise<Session> {
  const client = await databases.connect('ledger');
  await client.query('set session_replication_role = replica');
  await loadPayers(client, payers);
  for (const table of ['hold', 'entry'])
    await client.query(
      `create temporary table template_${table} as
       select row_number() over (order by operation_id) as number, r.* from ${table} r
       where subscription_id = ${templatePayer.subscriptionId}`,
    );
  await client.query('analyze template_hold; analyze template_entry');
  return client;
}

async function partitionByMonth(client: pg.Client, stretches: readonly Stretch[]): Promise<void> {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!first || !last) return;
  await client.query('set role ledger_owner');
  await client.query(`
    select add_entry_partition(month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC')
    from generate_series('${first.from.toISOString()}'::timestamptz,
      (select min(low::timestamptz) from list_partitions('entry')) - interval '1 day', interval '1 month', 'UTC') month`);
  await client.query(`
    select add_hold_partition(first, first + (1 << 24))
    from (select max(high::bigint) as reached from list_partitions('hold')) p,
      generate_series(reached, ${last.firstId + BigInt(last.count)} + (2 << 24), 1 << 24) first`);
  await client.query('reset role');
}

/** Writes what two years of drift checks leave: totals and the position of each subscription. */
async function noteAsCompared(client: pg.Client): Promise<void> {
  await client.query('truncate entry_total, subscription_check, suspect_range');
  const { rows } = await client.query<{ id: string }>('select id from subscription order by id');
  for (const { id } of rows)
    await client.query(
      `insert into entry_total (subscription_id, settled_at, entries, request_units, delivered_units, fresh_evidence_units)
       select ${id}, settled_at, entries, request_units, delivered_units, fresh_evidence_units
       from (
         select settled_at, count(*) over so_far as entries, sum(request_units) over so_far as request_units,
                sum(delivered_units) over so_far as delivered_units,
                sum(fresh_evidence_units) over so_far as fresh_evidence_units
         from entry where subscription_id = ${id}
         window so_far as (order by settled_at)
       ) e
       where entries % 256 = 0`,
    );
  await client.query(`
    insert into subscription_check (subscription_id, checked_at, holds_at, highest_operation_id, open_operation_ids)
    select s.id, s.last_at, h.created_at, h.operation_id, '{}'
    from subscription s
    cross join lateral (
      select created_at, operation_id from hold where subscription_id = s.id order by created_at desc limit 1
    ) h`);
}

async function setCounters(client: pg.Client): Promise<void> {
  const counted = ['window', 'week', 'period'].map(
    (name) => `
      ${name}_tail_at = c.${name}_tail,
      ${name}_request_units = c.${name}_request, ${name}_delivered_units = c.${name}_delivered,
      ${name}_fresh_evidence_units = c.${name}_fresh`,
  );
  const sums = ['window', 'week', 'period'].map(
    (name) => `
      max(b.tail) filter (where b.name = '${name}') as ${name}_tail,
      coalesce(sum(b.request) filter (where b.name = '${name}'), 0) as ${name}_request,
      coalesce(sum(b.delivered) filter (where b.name = '${name}'), 0) as ${name}_delivered,
      coalesce(sum(b.fresh) filter (where b.name = '${name}'), 0) as ${name}_fresh`,
  );
  await client.query(`
    update subscription s set last_at = c.last_at, ${counted.join(', ')}
    from (
      select b.id, b.last_at, ${sums.join(', ')}
      from (
        select s.id, i.name, l.last_at, t.tail, u.request, u.delivered, u.fresh
        from subscription s
        join subscription_interval i on i.subscription_id = s.id
        cross join lateral (
          select coalesce((select max(settled_at) from entry e where e.subscription_id = s.id), s.created_at) as last_at
        ) l
        cross join lateral (
          select case i.name when 'period' then period_start(s.period_anchor, l.last_at) - interval '1 microsecond'
                             else l.last_at - i.seconds * interval '1 second' end as tail
        ) t
        cross join lateral (
          select sum(request_units) as request, sum(delivered_units) as delivered, sum(fresh_evidence_units) as fresh
          from entry e where e.subscription_id = s.id and e.settled_at > t.tail
        ) u
      ) b
      group by b.id, b.last_at
    ) c
    where c.id = s.id`);
}
