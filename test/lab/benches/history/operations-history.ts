import type pg from 'pg';
import { loadPayers, type Payer } from './accounts.ts';
import { columnsOf, copySql, type Draw, drawSql } from './draw.ts';
import type { Stretch } from './months.ts';
import { shareOut, vacuumPartition } from './share-out.ts';
import type { Databases, Session } from './system.ts';

const FROZEN = ['plan', 'shortlist', 'result'] as const;

export interface Generation {
  readonly stretches: readonly Stretch[];
  readonly payers: readonly Payer[];
  /** The source of the templates. Its operations are deleted after the copy. */
  readonly templatePayer: Payer;
  readonly draw: Draw;
  readonly now: Date;
  readonly byMonth: boolean;
  readonly onStretch: (stretch: Stretch) => void;
}

/**
 * Copies the template operations with their frozen results. Writes only the keys of operations that
 * are no longer kept.
 */
export async function generateOperations(databases: Databases, generation: Generation): Promise<void> {
  const { stretches, draw, now, templatePayer, onStretch } = generation;
  await using client = await openWriter(databases, generation);
  // Creates partitions in order of id, because a jump ahead would leave a gap without partitions.
  for (const { isKept, firstId } of stretches)
    if (isKept) await client.query(`select prepare_operation_partitions(${firstId})`);
  const restoreKey = await dropPrimaryKey(client, 'request_key');
  await shareOut(
    stretches.filter(({ count }) => count > 0),
    () => openWriter(databases, generation),
    async (session, stretch) => {
      await session.query('begin');
      await session.query(`create temporary table drawn on commit drop as ${drawSql(stretch, draw, now)}`);
      if (stretch.isKept) await insertKept(session);
      await insertKeys(session);
      await session.query('commit');
      if (stretch.isKept)
        for (const table of ['operation', ...FROZEN])
          await vacuumPartition(session, table, table === 'operation' ? 'id' : 'operation_id', stretch);
      onStretch(stretch);
    },
  );
  await restoreKey();
  await removeTemplates(client, templatePayer.accountId, stretches);
}

/**
 * Opens a session with the templates. Disables triggers and foreign keys, because the copies
 * already contain what they would write.
 */
async function openWriter(databases: Databases, { payers, templatePayer }: Generation): Promise<Session> {
  const client = await databases.connect('operations');
  await client.query('set session_replication_role = replica');
  await loadPayers(client, payers);
  await client.query(
    `create temporary table template as
     select row_number() over (order by id) as number, o.* from operation o where account_id = ${templatePayer.accountId}`,
  );
  for (const table of FROZEN)
    await client.query(
      `create temporary table template_${table} as
       select template.number, f.* from ${table} f join template on template.id = f.operation_id`,
    );
  await client.query('analyze template');
  return client;
}

async function insertKept(client: pg.Client): Promise<void> {
  const state = `case when d.failed then 'failed' else 'delivered' end`;
  const ended = `d.created_at + interval '250 milliseconds'`;
  await client.query(
    `${copySql('operation', await columnsOf(client, 'operation'), {
      id: 'd.id',
      account_id: 'd.account_id',
      subscription_id: 'd.subscription_id',
      credential_id: 'd.credential_id',
      request_key: 'd.request_key',
      identity: 'd.identity',
      created_at: 'd.created_at',
      deadline_at: `d.created_at + (t.deadline_at - t.created_at)`,
      started_at: `d.created_at + (t.started_at - t.created_at)`,
      stored_at: `case when not d.failed then d.created_at + (t.stored_at - t.created_at) end`,
      finished_at: ended,
      state,
      ...Object.fromEntries(
        ['request_units', 'delivered_units', 'fresh_evidence_units'].map((units) => [
          units,
          `case when d.failed then 0 else t.${units} end`,
        ]),
      ),
      failure_code: `case when d.failed then 'search_failed' end`,
      failure_message: `case when d.failed then 'The search failed.' end`,
    })} from drawn d join template t on t.number = d.template`,
  );
  const frozen = {
    operation_id: 'd.id',
    // Left empty, because no measured request or task reads it and it is as large as the rest of a
    // search.
    plan: `'{}'::jsonb`,
    account_id: 'd.account_id',
    as_of: 'd.created_at',
    judged_at: 'd.created_at',
    expires_at: `d.created_at + interval '7 days'`,
    details: `case when t.details #> '{page,shortlist_id}' is null then t.details
                   else jsonb_set(t.details, '{page,shortlist_id}', to_jsonb(d.id)) end`,
  };
  for (const table of FROZEN)
    await client.query(
      `${copySql(table, await columnsOf(client, table), frozen)}
       from drawn d join template_${table} t on t.number = d.template where not d.failed`,
    );
}

async function insertKeys(client: pg.Client): Promise<void> {
  await client.query(
    `insert into request_key (account_id, action, request_key_digest, operation_id)
     select d.account_id, t.action, sha256(convert_to(d.request_key, 'UTF8')), d.id
     from drawn d join template t on t.number = d.template`,
  );
}

/**
 * Builds an index over random digests at the end. Row by row, each insert would read and write one
 * page.
 */
async function dropPrimaryKey(client: pg.Client, table: string): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string; partitioned: boolean }>(
    `select conname as name, pg_get_constraintdef(k.oid) as definition, relkind = 'p' as partitioned
     from pg_constraint k join pg_class c on c.oid = conrelid where conrelid = $1::regclass and contype = 'p'`,
    [table],
  );
  const [key] = rows;
  if (!key || key.partitioned) return async () => {};
  await client.query(`alter table ${table} drop constraint ${key.name}`);
  return async () => {
    await client.query(`alter table ${table} add constraint ${key.name} ${key.definition}`);
  };
}

async function removeTemplates(client: pg.Client, accountId: bigint, stretches: readonly Stretch[]): Promise<void> {
  for (const table of FROZEN) await client.query(`delete from ${table} f using template t where f.operation_id = t.id`);
  await client.query(`delete from operation where account_id = ${accountId}`);
  await client.query(`delete from request_key where account_id = ${accountId}`);
  await client.query('delete from reconciliation_open');
  await client.query('update reconciliation set newest = null, back_to = null');
  const last = stretches.at(-1);
  if (last)
    await client.query(
      `select setval(pg_get_serial_sequence('operation', 'id')::regclass, ${last.firstId + BigInt(last.count)}, false)`,
    );
  await client.query('select prepare_operation_partitions()');
  await client.query('vacuum (analyze) request_key, job');
  await client.query('analyze');
}
