import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Queryable } from '@ces/chassis/postgres/pool';

type CallState = 'sent' | 'answered' | 'recorded' | 'failed' | 'cached';

/** A call is unique forever by (operation, source, call). */
export interface CallId {
  readonly operationId: bigint;
  readonly source: string;
  readonly call: string;
}

export interface ProviderCall {
  readonly state: CallState;
  readonly ageMs: number;
  readonly failure: string;
  readonly answer: Uint8Array | undefined;
  readonly contentType: string | undefined;
}

export async function newestFence(db: Queryable, operationId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ fence: bigint }>(
    'select coalesce(max(fence), 0) as fence from provider_call where operation_id = $1',
    [operationId],
  );
  return rows[0]?.fence ?? 0n;
}

/** `known`: it was claimed before. `budget`: the operation may not pay for another. */
export async function claimCall(
  db: Queryable,
  callId: CallId,
  fence: bigint,
  maxCalls: number,
): Promise<'claimed' | 'known' | 'budget'> {
  if (await findCall(db, callId)) return 'known';
  const { rows } = await db.query<{ calls: bigint }>(
    `select count(*) as calls from provider_call where operation_id = $1 and state <> 'cached'`,
    [callId.operationId],
  );
  if ((rows[0]?.calls ?? 0n) >= BigInt(maxCalls)) return 'budget';
  const { rowCount } = await db.query(
    `insert into provider_call (operation_id, source, call, fence) values ($1, $2, $3, $4)
     on conflict on constraint provider_call_key do nothing`,
    [callId.operationId, callId.source, callId.call, fence],
  );
  return rowCount === 1 ? 'claimed' : 'known';
}

export async function findCall(db: Queryable, callId: CallId): Promise<ProviderCall | undefined> {
  const { rows } = await db.query<Row>(
    `select state, extract(epoch from clock_timestamp() - sent_at) * 1000 as age_ms, failure, answer, content_type
     from provider_call
     where operation_id = $1 and source = $2 and call = $3`,
    [callId.operationId, callId.source, callId.call],
  );
  const [row] = rows;
  if (!row) return undefined;
  const answer = row.answer ? inflateRawSync(row.answer) : undefined;
  const { state, failure } = row;
  return { state, failure, answer, ageMs: row.age_ms, contentType: row.content_type ?? undefined };
}

export async function keepAnswer(
  db: Queryable,
  callId: CallId,
  answer: Uint8Array,
  contentType: string | undefined,
): Promise<void> {
  await db.query(
    `update provider_call set state = 'answered', answer = $4, content_type = $5
     where operation_id = $1 and source = $2 and call = $3 and state = 'sent'`,
    [callId.operationId, callId.source, callId.call, deflateRawSync(answer), contentType ?? null],
  );
}

export async function finishCall(
  db: Queryable,
  callId: CallId,
  tx: bigint,
  freshObservationIds: readonly bigint[],
): Promise<void> {
  await db.query(
    `update provider_call set state = 'recorded', answer = null, tx = greatest(tx, $4),
       fresh_observation_ids = array(select distinct unnest(fresh_observation_ids || $5::bigint[]))
     where operation_id = $1 and source = $2 and call = $3`,
    [callId.operationId, callId.source, callId.call, tx, freshObservationIds],
  );
}

export async function failCall(db: Queryable, callId: CallId, failure: string): Promise<void> {
  await db.query(
    `update provider_call set state = 'failed', failure = $4, answer = null
     where operation_id = $1 and source = $2 and call = $3 and state in ('sent', 'answered')`,
    [callId.operationId, callId.source, callId.call, failure.slice(0, 500)],
  );
}

export async function reuseAnswer(db: Queryable, callId: CallId, fence: bigint, tx: bigint): Promise<void> {
  await db.query(
    `insert into provider_call (operation_id, source, call, fence, state, tx) values ($1, $2, $3, $4, 'cached', $5)
     on conflict on constraint provider_call_key do nothing`,
    [callId.operationId, callId.source, callId.call, fence, tx],
  );
}

export async function sumCalls(
  db: Queryable,
  operationId: bigint,
): Promise<{ readonly tx: bigint; readonly freshObservationIds: readonly bigint[] }> {
  const { rows } = await db.query<{ tx: string; fresh: bigint[] }>(
    `select coalesce(max(tx), 0)::text as tx,
       coalesce(array_agg(fresh_id) filter (where fresh_id is not null), '{}') as fresh
     from provider_call left join lateral unnest(fresh_observation_ids) as fresh_id on true
     where operation_id = $1`,
    [operationId],
  );
  return { tx: BigInt(rows[0]?.tx ?? '0'), freshObservationIds: rows[0]?.fresh ?? [] };
}

export async function deleteOldCalls(db: Queryable, olderThanMs: number): Promise<void> {
  await db.query(`delete from provider_call where sent_at < now() - $1 * interval '1 millisecond'`, [olderThanMs]);
}

interface Row {
  readonly state: CallState;
  readonly age_ms: number;
  readonly failure: string;
  readonly answer: Buffer | null;
  readonly content_type: string | null;
}
