import { OFFSET, SINGLE_RANK } from '../../statement/score-sql.ts';

/** A tsvector keeps at most this many positions of a lexeme. */
const MOST = 256;
/** The server's `ts_rank` divides by this. */
const LIMIT = 1.64493406685;

const ranks = Float64Array.from({ length: MOST + 1 }, (_, count) => serverRank(count));

/** Holds 1 − `ts_rank` of a word by its number of positions, with equal weights. */
export const LESS_RANK: Readonly<Float64Array> = ranks.map((rank) => 1 - rank);
/** Holds the divisor of `scoreSql`: frequency × (1 − rank). */
export const FREQUENCY: Readonly<Float64Array> = ranks.map((rank) => SINGLE_RANK - OFFSET + OFFSET * rank);

/** Uses 32-bit floats, as the server does. */
function serverRank(count: number): number {
  let sum = 0;
  for (let at = 1; at <= count; at += 1) sum = Math.fround(sum + Math.fround(1 / (at * at)));
  return Math.fround(Math.fround(Math.fround(1 + sum) - 1) / LIMIT);
}
