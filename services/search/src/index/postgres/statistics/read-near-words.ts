import type { Queryable } from '@ces/chassis/postgres/pool';
import { KNOWN_WELL, type NearWord, spellingsNear } from '../../../ranking/spelling.ts';

const READ_NEAR = `
select distinct on (written) written, lexeme, observations, descriptions
  from (
    select written, stem as lexeme, coalesce(e.documents, 0) as observations, coalesce(d.documents, 0) as descriptions
      from (select distinct written, stem
              from unnest($1::text[], $2::text[]) as near (written, spelling)
             cross join lateral unnest(ts_lexize('english_stem', spelling)) as stem) near
      left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
      left join lexeme_df d on d.corpus = 'description' and d.lexeme = stem) near
 where observations + descriptions >= ${KNOWN_WELL}
 order by written, observations + descriptions desc, lexeme`;

interface NearRow {
  readonly written: string;
  readonly lexeme: string;
  readonly observations: bigint;
  readonly descriptions: bigint;
}

/**
 * Returns the best-known word one letter away, if any. It looks up spellings, so the cost does not
 * grow with the record.
 */
export async function readNearWords(db: Queryable, words: readonly string[]): Promise<NearWord[]> {
  const near = words.flatMap((written) => spellingsNear(written).map((spelling) => ({ written, spelling })));
  const values = [near.map(({ written }) => written), near.map(({ spelling }) => spelling)];
  const { rows } = await db.query<NearRow>({ name: 'read-near-words', text: READ_NEAR, values });
  return rows.map((row) => ({
    ...row,
    observations: Number(row.observations),
    descriptions: Number(row.descriptions),
  }));
}
