import { B, K1 } from '../../ranking/bm25.ts';
import type { WeighedTerm } from '../../ranking/weigh-terms.ts';
import type { Parameters } from './parameters.ts';
import { anyOf } from './tsquery.ts';

/** Columns to compute in the row scan, and the score made of them. */
export interface ScoreSql {
  readonly columns: readonly string[];
  readonly score: string;
}

/**
 * BM25 in stock Postgres. With equal weights `ts_rank` of one word is 6/pi² times the sum of 1/n² over its positions,
 * so that the frequency can be had back from it. A term gives the most of what the word itself and what stands for it give.
 */
export function scoreSql(
  terms: readonly WeighedTerm[],
  row: string,
  prefix: string,
  meanLength: number,
  parameters: Parameters,
): ScoreSql {
  const columns = [
    `${K1} * (${1 - B} + ${B} * ${row}.length / ${parameters.add(meanLength, 'float8')}) as ${prefix}norm`,
  ];
  const parts: string[] = [];
  terms.forEach((term, index) => {
    const alternatives: string[] = [];
    if (term.lexemes.length > 0) {
      const query = parameters.add(anyOf(term.lexemes.map((lexeme) => [lexeme])), 'tsquery');
      columns.push(`ts_rank('{1,1,1,1}', ${row}.text, ${query}) as ${prefix}r${index}`);
      alternatives.push(`${parameters.add(term.weight, 'float8')} * ${frequencyPart(prefix, `${prefix}r${index}`)}`);
    }
    if (term.related.length > 0) {
      columns.push(`(${row}.text @@ ${parameters.add(anyOf(term.related), 'tsquery')})::int as ${prefix}s${index}`);
      alternatives.push(
        `${parameters.add(term.relatedWeight, 'float8')} * ${prefix}s${index} * ${K1 + 1} / (1 + ${prefix}norm)`,
      );
    }
    parts.push(alternatives.length > 1 ? `greatest(${alternatives.join(', ')})` : (alternatives[0] ?? '0'));
  });
  return { columns, score: parts.length > 0 ? `(${parts.join(' + ')})` : '0::float8' };
}

/** The most that a score can reach. */
export function highestScore(terms: readonly WeighedTerm[]): number {
  return terms.reduce((total, term) => total + Math.max(term.weight, term.relatedWeight) * (K1 + 1), 0);
}

function frequencyPart(prefix: string, rank: string): string {
  const frequency = `(${A - 0.5} + 0.5 * ${rank})`;
  return `case when ${rank} > 0 then ${K1 + 1} * ${frequency} / (${frequency} + ${prefix}norm * (1 - ${rank})) else 0 end`;
}

/** 6 / pi². */
const A = 0.6079271;
