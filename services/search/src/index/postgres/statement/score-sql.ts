import { B, K1 } from '../../../ranking/bm25.ts';
import type { ScoredText } from '../../../ranking/scoring.ts';
import type { Alternative, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { Parameters } from './parameters.ts';
import { anyPhraseText } from './tsquery.ts';

export interface ScoreSql {
  readonly columns: readonly string[];
  readonly gains: readonly string[];
  readonly parts: readonly string[];
}

interface Part {
  readonly column: string;
  readonly gain: string;
}

/** `ts_rank` of a word with one position is 6/π². */
export const SINGLE_RANK = 0.6079271;
/** Makes the frequency exact for one position; for more positions it is 1 % low. */
export const OFFSET = SINGLE_RANK / (1 - SINGLE_RANK) - 1;

/**
 * Implements BM25 in stock Postgres. With equal weights, `ts_rank` of one word is 6/π² times the
 * sum of 1/n² over its positions. The frequency is therefore SINGLE_RANK / (1 - rank) - OFFSET.
 * Alternatives with several phrases count as present or absent (decision 0020).
 */
export function scoreSql(
  { terms, meanLength }: ScoredText,
  row: string,
  prefix: string,
  parameters: Parameters,
): ScoreSql {
  const norm = `${prefix}norm`;
  const columns = [
    `${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * ${row}.length / ${parameters.add(meanLength, 'float8')}) as ${norm}`,
  ];
  const all: string[] = [];
  const gains = terms.map((term, index) => {
    const parts = term.alternatives.map((alternative, which) =>
      partOf(alternative, row, `${prefix}${index}_${which}`, norm, parameters, outsideKinds(term, row, parameters)),
    );
    columns.push(...parts.map((part) => part.column));
    all.push(...parts.map((part) => part.gain));
    return `greatest(${parts.map((part) => part.gain).join(', ')})`;
  });
  return { columns, gains, parts: all };
}

export function sumOf(gains: readonly string[]): string {
  return gains.length > 0 ? `(${gains.join(' + ')})` : '0::float8';
}

/** A term that names a kind scores only observations of other kinds. */
function outsideKinds({ namesKinds }: WeighedTerm, row: string, parameters: Parameters): string {
  return namesKinds.length > 0 ? `${row}.kind <> all(${parameters.add(namesKinds, 'smallint[]')}) and ` : '';
}

function partOf(
  alternative: Alternative,
  row: string,
  name: string,
  norm: string,
  parameters: Parameters,
  only: string,
): Part {
  const query = parameters.add(anyPhraseText(alternative.phrases), 'tsquery');
  const weight = parameters.add(alternative.weight * (K1 + 1), 'float8');
  const isWord = alternative.phrases.length === 1 && alternative.phrases[0]?.length === 1;
  if (!isWord)
    return {
      column: `(${only}${row}.text @@ ${query})::int as ${name}`,
      gain: `${weight} * ${name} / (1 + ${norm})`,
    };
  const rank = `ts_rank('{1,1,1,1}', ${row}.text, ${query})`;
  /* The frequency is multiplied by (1 - rank). */
  const frequency = `(${SINGLE_RANK - OFFSET}::float8 + ${OFFSET}::float8 * ${name})`;
  return {
    column: only ? `case when ${only}true then ${rank} else 0 end as ${name}` : `${rank} as ${name}`,
    gain: `case when ${name} > 0 then ${weight} / (1::float8 + ${norm} * (1::float8 - ${name}) / ${frequency}) else 0::float8 end`,
  };
}
