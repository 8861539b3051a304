import type { Queryable } from '@ces/chassis/postgres/pool';

export type QuestionClaim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'answered'; readonly tx: bigint };

/**
 * False if answered within `cacheTtlMs` or claimed within `silentMs`. A claim from before the
 * database clock was set back does not count.
 */
export async function claimQuestion(
  db: Queryable,
  source: string,
  call: string,
  cacheTtlMs: number,
  silentMs: number,
): Promise<QuestionClaim> {
  const { rowCount } = await db.query(
    `insert into source_question (source, call) values ($1, $2)
     on conflict on constraint source_question_key do update set state = 'asking', asked_at = now(), tx = 0
       where source_question.asked_at < now() - case source_question.state when 'asking' then $4::float8 else $3::float8 end * interval '1 millisecond'
         or source_question.state = 'asking' and source_question.asked_at > now() + $4 * interval '1 millisecond'`,
    [source, call, cacheTtlMs, silentMs],
  );
  if (rowCount === 1) return { kind: 'claimed' };
  const { rows } = await db.query<{ state: string; tx: string }>(
    'select state, tx::text as tx from source_question where source = $1 and call = $2',
    [source, call],
  );
  const [row] = rows;
  return row?.state === 'answered' ? { kind: 'answered', tx: BigInt(row.tx) } : { kind: 'asking' };
}

export async function answerQuestion(db: Queryable, source: string, call: string, tx: bigint): Promise<void> {
  await db.query(
    `update source_question set state = 'answered', asked_at = now(), tx = $3 where source = $1 and call = $2`,
    [source, call, tx],
  );
}

export async function releaseQuestion(db: Queryable, source: string, call: string): Promise<void> {
  await db.query(`delete from source_question where source = $1 and call = $2 and state = 'asking'`, [source, call]);
}

export async function deleteOldQuestions(db: Queryable, cacheTtlMs: number): Promise<void> {
  await db.query(`delete from source_question where asked_at < now() - $1 * interval '1 millisecond'`, [cacheTtlMs]);
}
