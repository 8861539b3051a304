import pg from 'pg';

const STATES = ['created', 'withdrawing', 'held', 'running', 'stored', 'failing'] as const;
const HOURS = 3;
const EACH = 2;

/**
 * Resets settled searches to every state that the moment may have found, some past their deadline,
 * and dates all open work back by hours. Returns their number.
 */
export async function putBack(operationsUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: operationsUrl });
  await client.connect();
  try {
    const wanted = STATES.flatMap((state) =>
      Array.from({ length: 2 * EACH }, (_, nth) => ({ state, isLate: nth < EACH })),
    );
    const { rows } = await client.query<{ id: string }>(
      `select id from operation where state = 'delivered' and payment = 'hold' order by id desc limit $1`,
      [wanted.length],
    );
    for (const [at, { id }] of rows.entries()) {
      const { state, isLate } = wanted[at] ?? { state: 'held', isLate: true };
      await putInto(client, id, state, isLate);
    }
    await client.query(
      `update operation set created_at = created_at - $1 * interval '1 hour', deadline_at = deadline_at - $1 * interval '1 hour'
       where state in ('created', 'held', 'running') and deadline_at < now() + interval '1 hour'`,
      [HOURS],
    );
    return rows.length;
  } finally {
    await client.end();
  }
}

async function putInto(client: pg.Client, id: string, state: (typeof STATES)[number], isLate: boolean): Promise<void> {
  const failure = state === 'failing' ? ['search_failed', 'The search failed.'] : [null, null];
  await client.query(
    `update operation set state = $2, finished_at = null, request_units = 0, delivered_units = 0, fresh_evidence_units = 0,
       failure_code = $3, failure_message = $4,
       deadline_at = now() + case when $5 then interval '0' else interval '10 hours' end
     where id = $1`,
    [id, state, ...failure, isLate],
  );
  if (state !== 'stored')
    for (const table of ['result', 'shortlist', 'plan'])
      await client.query(`delete from ${table} where operation_id = $1`, [id]);
  // All unfinished work has a job, owned by a lost process or waiting for the next step.
  const isOwned = state === 'created' || state === 'held' || state === 'running';
  await client.query(
    `insert into job (operation_id, fence, attempts, owner, due_at, publish_at)
     values ($1, 1, case $2 when 'running' then 1 else 0 end, $3::text, now(), case when $3::text is null then 'infinity' else now() end)`,
    [id, state, isOwned ? 'lost' : null],
  );
}
