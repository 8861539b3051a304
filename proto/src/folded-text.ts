import { normalText } from './normal-text.ts';

/** A text in one form of each character, and where its parts stand in the text that was given. */
export interface FoldedText {
  readonly text: string;
  /** A part of the folded text as a part of the given one, in UTF-16 units, whole characters alone; `end` is exclusive. */
  readonly spanOf: (start: number, end: number) => { readonly start: number; readonly end: number };
}

const ASCII = /^[\0-\x7f]*$/;
/** A minus sign is a hyphen to whoever reads a number. */
const MINUS = '\u2212';

/** Folds letters, digits and signs of every width and style (NFKC), so that what reads alike is searched alike. */
export function foldText(text: string): FoldedText {
  if (ASCII.test(text)) return same(text);
  const parts: string[] = [];
  let length = 0;
  for (const character of text) {
    const folded = foldCharacter(character);
    parts.push(folded);
    length += folded.length;
  }
  const result = parts.join('');
  return result === text ? same(text) : { text: result, spanOf: spanFinder(text, parts, length) };
}

function same(text: string): FoldedText {
  return { text, spanOf: (start, end) => ({ start, end }) };
}

function foldCharacter(character: string): string {
  if (character.length === 1 && character <= '\x7f') return character;
  return character === MINUS ? '-' : normalText(character, 'NFKC');
}

/** One character may become several, or several units one. */
function spanFinder(text: string, parts: readonly string[], length: number): FoldedText['spanOf'] {
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  let at = 0;
  let given = 0;
  for (const part of parts) {
    const next = given + ((text.codePointAt(given) ?? 0) > 0xffff ? 2 : 1);
    starts.fill(given, at, at + part.length);
    ends.fill(next, at, at + part.length);
    at += part.length;
    given = next;
  }
  return (start, end) => ({ start: starts[start] ?? text.length, end: ends[end - 1] ?? text.length });
}
