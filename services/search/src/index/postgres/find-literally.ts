import type { Queryable } from '@ces/chassis/postgres';
import type { LiteralHit, LiteralQuery } from '../observation-index.ts';
import { filterConditions } from './filters.ts';
import { instantFromMicros, instantText } from './instants.ts';
import { Parameters } from './parameters.ts';

interface HitRow {
  readonly observation_id: bigint;
  readonly company_id: bigint;
  readonly observed_micros: bigint;
}

/** Observations with every word in their text or their company's name, newest observed first, by keyset. */
export async function findLiterally(
  db: Queryable,
  query: LiteralQuery,
  horizon: Date,
  now: Date,
): Promise<LiteralHit[]> {
  const { text, values } = literalSql(query, horizon, now);
  const { rows } = await db.query<HitRow>(text, values);
  return rows.map((row) => ({
    observationId: row.observation_id,
    companyId: row.company_id,
    observedAt: instantFromMicros(row.observed_micros),
  }));
}

function literalSql(query: LiteralQuery, horizon: Date, now: Date): { text: string; values: unknown[] } {
  const parameters = new Parameters();
  const conditions = [filterConditions(query.filters, 'i', horizon, now, parameters)];
  for (const word of query.words) conditions.push(...wordConditions(word, parameters));
  if (query.recordedBy)
    conditions.push(`i.recorded_at <= ${parameters.add(instantText(query.recordedBy), 'timestamptz')}`);
  if (query.before)
    conditions.push(
      `(i.observed_at, i.observation_id) < (${parameters.add(instantText(query.before.observedAt), 'timestamptz')},
        ${parameters.add(query.before.id, 'bigint')})`,
    );
  const text = `
select i.observation_id, i.company_id, (extract(epoch from i.observed_at) * 1000000)::bigint as observed_micros
  from indexed i
  join entry e on e.observation_id = i.observation_id and e.bucket = i.bucket
  left join company_doc c on c.company_id = i.company_id
 where not i.tombstone and ${conditions.join('\n   and ')}
 order by i.observed_at desc, i.observation_id desc
 limit ${parameters.add(query.limit, 'int')}`;
  return { text, values: parameters.values };
}

/** A word by its lexeme first, which the index answers, and then as it stands; stop words have no lexeme. */
function wordConditions(word: string, parameters: Parameters): string[] {
  const lexeme = `plainto_tsquery('english', ${parameters.add(word, 'text')})`;
  const padded = parameters.add(` ${word} `, 'text');
  return [
    `(numnode(${lexeme}) = 0 or e.text @@ ${lexeme} or e.company_id = any(array(
       select d.company_id from company_doc d where d.text @@ ${lexeme} and strpos(' ' || d.name_words || ' ', ${padded}) > 0)))`,
    `(strpos(' ' || e.words || ' ', ${padded}) > 0 or strpos(' ' || c.name_words || ' ', ${padded}) > 0)`,
  ];
}
