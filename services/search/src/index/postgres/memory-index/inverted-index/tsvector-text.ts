export interface LexemePattern {
  readonly lexemes: readonly string[];
  readonly offsets: readonly number[];
}

const QUOTE = 39;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const ZERO = 48;

/** `positions` is reused for each lexeme. */
export function readLexemesOf(text: string, take: (lexeme: string, positions: readonly number[]) => void): void {
  const positions: number[] = [];
  let at = 0;
  while (at < text.length) {
    const { lexeme, end } = readQuoted(text, at);
    at = end;
    positions.length = 0;
    if (text.charCodeAt(at) === COLON) {
      let position = 0;
      for (at += 1; at <= text.length; at += 1) {
        const digit = text.charCodeAt(at) - ZERO;
        if (digit >= 0 && digit <= 9) {
          position = position * 10 + digit;
          continue;
        }
        positions.push(position);
        position = 0;
        if (text.charCodeAt(at) !== COMMA) break;
      }
    }
    take(lexeme, positions);
    at += 1;
  }
}

function readQuoted(text: string, from: number): { readonly lexeme: string; readonly end: number } {
  let isEscaped = false;
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isQuote = code === QUOTE;
    if (isQuote && text.charCodeAt(at + 1) !== QUOTE) break;
    if (!isQuote && code !== BACKSLASH) continue;
    isEscaped = true;
    at += 1;
  }
  const written = text.slice(from + 1, at);
  return { lexeme: isEscaped ? written.replace(/(['\\])\1/g, '$1') : written, end: at + 1 };
}
