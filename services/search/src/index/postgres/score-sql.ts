import { B, K1 } from '../../ranking/bm25.ts';
import type { Alternative, WeighedTerm } from '../../ranking/weigh-terms.ts';
import type { Parameters } from './parameters.ts';
import { anyOf } from './tsquery.ts';

/** Columns to compute in the row scan, and the score made of them. */
export interface ScoreSql {
  readonly columns: readonly string[];
  readonly score: string;
}

/** A column of the row scan and what it gives. */
interface Part {
  readonly column: string;
  readonly gain: string;
}

/** 6 / pi². */
const SINGLE_RANK = 0.6079271;

/**
 * BM25 in stock Postgres. With equal weights `ts_rank` of one word is 6/pi² times the sum of 1/n² over its positions,
 * so that the frequency can be had back from it; several phrases that stand for one word count as found or not.
 */
export function scoreSql(
  terms: readonly WeighedTerm[],
  row: string,
  prefix: string,
  meanLength: number,
  parameters: Parameters,
): ScoreSql {
  const norm = `${prefix}norm`;
  const columns = [`${K1} * (${1 - B} + ${B} * ${row}.length / ${parameters.add(meanLength, 'float8')}) as ${norm}`];
  const scores = terms.map((term, index) => {
    const parts = term.alternatives.map((alternative, which) =>
      partOf(alternative, row, `${prefix}${index}_${which}`, norm, parameters),
    );
    columns.push(...parts.map((part) => part.column));
    return parts.length === 1 ? parts[0]?.gain : `greatest(${parts.map((part) => part.gain).join(', ')})`;
  });
  return { columns, score: scores.length > 0 ? `(${scores.join(' + ')})` : '0::float8' };
}

/** The most that a score can reach. */
export function highestScore(terms: readonly WeighedTerm[]): number {
  const best = terms.map((term) => Math.max(...term.alternatives.map((alternative) => alternative.weight)));
  return best.reduce((total, weight) => total + weight * (K1 + 1), 0);
}

function partOf(alternative: Alternative, row: string, name: string, norm: string, parameters: Parameters): Part {
  const query = parameters.add(anyOf(alternative.phrases), 'tsquery');
  const weight = parameters.add(alternative.weight * (K1 + 1), 'float8');
  const isWord = alternative.phrases.length === 1 && alternative.phrases[0]?.length === 1;
  if (!isWord)
    return {
      column: `(${row}.text @@ ${query})::int as ${name}`,
      gain: `${weight} * ${name} / (1 + ${norm})`,
    };
  const frequency = `(${SINGLE_RANK - 0.5} + 0.5 * ${name})`;
  return {
    column: `ts_rank('{1,1,1,1}', ${row}.text, ${query}) as ${name}`,
    gain: `case when ${name} > 0 then ${weight} * ${frequency} / (${frequency} + ${norm} * (1 - ${name})) else 0 end`,
  };
}
