import type { Piece } from './piece.ts';

/** A number after these identifies: "Route 66". Excludes verbs: "building 200 homes". */
const NUMBERED: ReadonlySet<string> = new Set(
  (
    'route routes highway highways hwy interstate autoroute covid item article section chapter clause exhibit appendix annex rule ' +
    'title bill level tier grade class category categorie type zone phase version volume page exit gate pier terminal ward ' +
    'motel fortune'
  ).split(' '),
);
const MONTHS: ReadonlySet<string> = new Set(
  (
    'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct ' +
    'nov dec janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre'
  ).split(' '),
);
/** "June 15 200 workers" contains a date; "in May 12 workers" contains a count. */
const DAY_AND_MORE = /^(?:[12]?\d|3[01]) \d/;
/** A hyphen joins these words to a real number: "sub-100 employees", "5-to-10 million dollars". */
const TYING: ReadonlySet<string> = new Set('sub under over plus to or and à ou et de about'.split(' '));
const HYPHEN = /^[-‐‑]$/;
const DIGIT = /^\d/;

/** Detects numbers of names and dates: "Route 66", "COVID-19", "Q3", "24/7", "2024-01-15". */
export function isNumberOfName(text: string, pieces: readonly Piece[], at: number): boolean {
  const [before, piece] = [pieces[at - 1], pieces[at]];
  if (!before || !piece || !DIGIT.test(piece.text)) return false;
  const between = text.slice(before.end, piece.start);
  const isNumber = DIGIT.test(before.text);
  if (between === '/') return isNumber || before.text.length === 1;
  if (isNumber) return HYPHEN.test(between) && isBehindHyphen(text, pieces, at, before, piece);
  if (between === '') return /^\p{L}/u.test(before.text);
  if (HYPHEN.test(between)) return /^\p{L}/u.test(before.text) && !isTying(text, pieces[at - 2], before);
  if (!/^\.?\s$/.test(between)) return false;
  return NUMBERED.has(before.word) || (MONTHS.has(before.word) && DAY_AND_MORE.test(piece.text));
}

function isTying(text: string, first: Piece | undefined, { text: word, start }: Piece): boolean {
  const isUnit = first !== undefined && DIGIT.test(first.text) && /^\s?$/.test(text.slice(first.end, start));
  return isUnit || TYING.has(word.toLowerCase());
}

/** "24-7" is no range. Three hyphenated numbers are a date or a telephone number. */
function isBehindHyphen(text: string, pieces: readonly Piece[], at: number, before: Piece, piece: Piece): boolean {
  const first = pieces[at - 2];
  const isThird = first !== undefined && DIGIT.test(first.text) && HYPHEN.test(text.slice(first.end, before.start));
  return (
    isThird ||
    (/^\d{1,2}$/.test(before.text) && /^\d{1,2}$/.test(piece.text) && Number(before.text) > Number(piece.text))
  );
}
