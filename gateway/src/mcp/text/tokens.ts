/**
 * Tokens of the text of a tool's result at most. The usual clients cut a result at 25,000 tokens, wherever that falls; the rest is room
 * for what they add and for text that takes more tokens than estimated.
 */
export const MAX_TEXT_TOKENS = 20_000;

/** A word or a number of ASCII, or any other UTF-16 code unit. */
const PIECES = /[A-Za-z0-9]+|[\s\S]/g;
/** Tokens of a letter of a word: a word in capitals is rare in what tokenizers were made from. */
const [SMALL_LETTER, CAPITAL] = [1 / 3, 0.6];
/** Words are shorter; what is longer, or mixes letters and digits, is an identifier, with hardly more than a character a token. */
const LONGEST_WORD = 24;
const OF_IDENTIFIER = 0.82;
const [NUMBER, DIGIT] = [1, 0.4];
const [SPACE, PUNCTUATION] = [1 / 3, 0.75];
/** The least tokens for each code unit, over all pieces. */
const LEAST = Math.min(SMALL_LETTER, SPACE);
/**
 * Tokens of a code unit below each bound: Latin with accents; more of it; accents that combine, Greek, Cyrillic, Hebrew, Arabic;
 * other alphabets; punctuation; symbols, Canadian syllabics; ideographs and emoji.
 */
const BEYOND_ASCII: readonly (readonly [below: number, tokens: number])[] = [
  [0x100, 1],
  [0x300, 1.5],
  [0x800, 1.75],
  [0x2000, 3.3],
  [0x2100, 1.5],
  [0x2e80, 3.3],
];
const IDEOGRAPH = 2;

/**
 * Tokens that a text has at most. An estimate by character in place of a tokenizer, which would be megabytes and one model's. In text
 * as sources write it, of any script, it is 1 to 2.7 times what the most wasteful of three tokenizers counts (o200k_base, cl100k_base,
 * Claude 2). Identifiers may have up to a fifth more tokens, for which there is room below the 25,000. Only a text made of letters that
 * never stand together could have twice as many; then a client cuts it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

/** Whether a text has at most so many tokens; a long one is not looked at. */
export function fitsTokens(text: string, maxTokens: number): boolean {
  return text.length * LEAST <= maxTokens && estimateTokens(text) <= maxTokens;
}

function tokensOf(piece: string): number {
  const code = piece.charCodeAt(0);
  if (code >= 0x80) return (BEYOND_ASCII.find(([below]) => code < below) ?? [0, IDEOGRAPH])[1];
  if (piece === ' ') return SPACE;
  if (!/[A-Za-z0-9]/.test(piece)) return PUNCTUATION;
  if (!/[A-Za-z]/.test(piece)) return NUMBER + piece.length * DIGIT;
  if (/[0-9]/.test(piece) || piece.length > LONGEST_WORD) return Math.max(1, piece.length * OF_IDENTIFIER);
  const capitals = piece.replace(/[a-z]+/g, '').length;
  return Math.max(1, capitals * CAPITAL + (piece.length - capitals) * SMALL_LETTER);
}
