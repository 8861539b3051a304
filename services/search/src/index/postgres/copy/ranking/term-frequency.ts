import { OFFSET, SINGLE_RANK } from '../../statement/score-sql.ts';

/** Positions of a lexeme that the server keeps at most. */
const MOST = 256;
/** What the server divides the rank of a word by. */
const LIMIT = 1.64493406685;

const ranks = Float64Array.from({ length: MOST + 1 }, (_, count) => serverRank(count));

/** By how often a word stands in a text: one less its `ts_rank`, all places weighing the same. */
export const LESS_RANK: Readonly<Float64Array> = ranks.map((rank) => 1 - rank);
/** And what `scoreSql` divides by: the frequency of such a word, times one less its rank. */
export const FREQUENCY: Readonly<Float64Array> = ranks.map((rank) => SINGLE_RANK - OFFSET + OFFSET * rank);

/** In the four-byte numbers that the server computes in. */
function serverRank(count: number): number {
  let sum = 0;
  for (let at = 1; at <= count; at += 1) sum = Math.fround(sum + Math.fround(1 / (at * at)));
  return Math.fround(Math.fround(Math.fround(1 + sum) - 1) / LIMIT);
}
