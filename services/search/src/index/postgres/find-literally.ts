import { inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { TermStatistics } from '../../ranking/term-statistics.ts';
import { instantFromMicros, instantText } from '../instants.ts';
import type { LiteralHit, LiteralQuery } from '../observation-index.ts';
import type { SearchContext } from './rank.ts';
import { filterConditions } from './statement/filter-sql.ts';
import { nameHas, textHas } from './statement/literal-sql.ts';
import { Parameters } from './statement/parameters.ts';
import { limitStatements } from './statement-limits.ts';
import { readTermStatistics } from './statistics/read-statistics.ts';

interface HitRow {
  readonly observation_id: bigint;
  readonly company_id: bigint;
  readonly observed_micros: bigint;
}

/**
 * Finds observations with every word in the text or the company's name, newest observed first, with
 * keyset pagination.
 */
export async function findLiterally(pool: Pool, query: LiteralQuery, context: SearchContext): Promise<LiteralHit[]> {
  const read = (client: Queryable) =>
    Promise.all([
      limitStatements(client, context.statementTimeoutMs, query.timeoutMs),
      readTermStatistics(client, query.words, context.statistics),
    ]);
  return await inTransactionAfter(pool, read, async (client, [, terms]) => {
    const { text, values } = literalSql(query, leadingWord(query, terms), context);
    const { rows } = await client.query<HitRow>(text, values);
    return rows.map((row) => ({
      observationId: row.observation_id,
      companyId: row.company_id,
      observedAt: instantFromMicros(row.observed_micros),
    }));
  });
}

/**
 * Returns the rarest word if reading its matches costs less than scanning back in time for a full
 * page.
 */
function leadingWord(query: LiteralQuery, terms: TermStatistics): string | undefined {
  const known = query.words.flatMap((word) => {
    const statistics = terms.words.get(word);
    return statistics ? [{ word, documents: statistics.observations }] : [];
  });
  const rarest = known.toSorted((a, b) => a.documents - b.documents)[0];
  if (!rarest) return undefined;
  const walked = (query.limit * terms.observations.documents) / rarest.documents;
  return rarest.documents <= walked ? rarest.word : undefined;
}

function literalSql(query: LiteralQuery, lead: string | undefined, context: SearchContext) {
  const parameters = new Parameters();
  const named = (word: string) =>
    `array(select d.company_id from company_doc d where ${nameHas('d', [word], parameters)})`;
  const conditions = ['not i.tombstone', filterConditions(query.filters, 'i', context, parameters)];
  const words = query.words.map(
    (word) => `((${textHas('e', [word], parameters)}) or i.company_id = any(${named(word)}))`,
  );
  if (query.recordedBy)
    conditions.push(`i.recorded_at <= ${parameters.add(instantText(query.recordedBy), 'timestamptz')}`);
  if (query.before)
    conditions.push(
      `(i.observed_at, i.observation_id) < (${parameters.add(instantText(query.before.observedAt), 'timestamptz')},
        ${parameters.add(query.before.id, 'bigint')})`,
    );
  if (lead !== undefined)
    conditions.push(
      `i.observation_id in (select observation_id from entry e where ${textHas('e', [lead], parameters)}
         union select observation_id from indexed where not tombstone and company_id = any(${named(lead)}))`,
    );
  const text = `
select i.observation_id, i.company_id, (extract(epoch from i.observed_at) * 1000000)::bigint as observed_micros
  from indexed i
 cross join lateral (
   select 1 from entry e
    where e.observation_id = i.observation_id and e.bucket = i.bucket and ${words.join('\n      and ')} offset 0) e
 where ${conditions.join('\n   and ')}
 order by i.observed_at desc, i.observation_id desc
 limit ${parameters.add(query.limit, 'int')}`;
  return { text, values: parameters.values };
}
