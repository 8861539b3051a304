/** Usual clients cut at 25,000 tokens; the rest is for their additions and low estimates. */
export const MAX_TEXT_TOKENS = 20_000;

/** ASCII letters and digits, or one other UTF-16 code unit. */
const PIECES = /[A-Za-z0-9]+|[\s\S]/g;
/** A letter. Words in capitals are rare in the training texts of tokenizers. */
const [SMALL_LETTER, CAPITAL] = [1 / 3, 0.6];
/** An identifier has hardly more than one character a token. */
const LONGEST_WORD = 24;
const OF_IDENTIFIER = 0.82;
const [NUMBER, DIGIT] = [1, 0.4];
const [SPACE, PUNCTUATION] = [1 / 3, 0.75];
/**
 * Tokens of a code unit below each bound: Latin with accents; more Latin; Greek to Arabic; other
 * alphabets; punctuation; symbols. IDEOGRAPH: also emoji.
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
 * A tokenizer would need megabytes and fit only one model. For real texts in any script the
 * estimate is 1 to 2.7 times the highest of three tokenizers; identifiers may have a fifth more.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
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
