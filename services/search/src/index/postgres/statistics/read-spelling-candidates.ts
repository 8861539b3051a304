import type { Queryable } from '@ces/chassis/postgres/pool';
import { MIN_FREQUENCY, type SpellingCandidate, spellingsAtDistanceOne } from '../../../ranking/spelling.ts';

const READ = `
select distinct on (written) written, lexeme, observations, descriptions
  from (
    select written, stem as lexeme, coalesce(e.documents, 0) as observations, coalesce(d.documents, 0) as descriptions
      from (select distinct written, stem
              from unnest($1::text[], $2::text[]) as candidates (written, spelling)
             cross join lateral unnest(ts_lexize('english_stem', spelling)) as stem) candidates
      left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
      left join lexeme_df d on d.corpus = 'description' and d.lexeme = stem) candidates
 where observations + descriptions >= ${MIN_FREQUENCY}
 order by written, observations + descriptions desc, lexeme`;

interface CandidateRow {
  readonly written: string;
  readonly lexeme: string;
  readonly observations: bigint;
  readonly descriptions: bigint;
}

/**
 * Returns the best-known word one letter away, if any. It looks up spellings, so the cost does not
 * grow with the record.
 */
export async function readSpellingCandidates(db: Queryable, words: readonly string[]): Promise<SpellingCandidate[]> {
  const candidates = words.flatMap((written) =>
    spellingsAtDistanceOne(written).map((spelling) => ({ written, spelling })),
  );
  const values = [candidates.map(({ written }) => written), candidates.map(({ spelling }) => spelling)];
  const { rows } = await db.query<CandidateRow>({ name: 'read-spelling-candidates', text: READ, values });
  return rows.map((row) => ({
    ...row,
    observations: Number(row.observations),
    descriptions: Number(row.descriptions),
  }));
}
