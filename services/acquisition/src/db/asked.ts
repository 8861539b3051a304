import type { Queryable } from '@ces/chassis/postgres/pool';

/** Who asked a question lately. */
export type Asked =
  | { readonly kind: 'mine' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'answered'; readonly tx: bigint };

/** Takes a question, unless it was answered within `rememberMs` or is being asked by somebody who is still heard of. */
export async function takeQuestion(
  db: Queryable,
  source: string,
  call: string,
  rememberMs: number,
  silentMs: number,
): Promise<Asked> {
  const { rowCount } = await db.query(
    `insert into asked (source, call) values ($1, $2)
     on conflict on constraint asked_key do update set state = 'asking', asked_at = now(), tx = 0
       where asked.asked_at < now() - case asked.state when 'asking' then $4::float8 else $3::float8 end * interval '1 millisecond'`,
    [source, call, rememberMs, silentMs],
  );
  if (rowCount === 1) return { kind: 'mine' };
  const { rows } = await db.query<{ state: string; tx: string }>(
    'select state, tx::text as tx from asked where source = $1 and call = $2',
    [source, call],
  );
  const [row] = rows;
  return row?.state === 'answered' ? { kind: 'answered', tx: BigInt(row.tx) } : { kind: 'asking' };
}

export async function answerQuestion(db: Queryable, source: string, call: string, tx: bigint): Promise<void> {
  await db.query(`update asked set state = 'answered', asked_at = now(), tx = $3 where source = $1 and call = $2`, [
    source,
    call,
    tx,
  ]);
}

/** Lets the next one ask. */
export async function dropQuestion(db: Queryable, source: string, call: string): Promise<void> {
  await db.query(`delete from asked where source = $1 and call = $2 and state = 'asking'`, [source, call]);
}

export async function forgetQuestions(db: Queryable, rememberMs: number): Promise<void> {
  await db.query(`delete from asked where asked_at < now() - $1 * interval '1 millisecond'`, [rememberMs]);
}
