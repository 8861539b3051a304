/** `end` is exclusive. */
export type UseToken = (start: number, end: number) => void;

const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
export const [COMMA, COLON] = [0x2c, 0x3a];
export const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Visits tokens of well-formed JSON in order; takes linear time for any text. */
export function forEachToken(text: string, use: UseToken): void {
  for (let at = 0; at < text.length; ) {
    if (isBlank(text.charCodeAt(at))) at += 1;
    else {
      const end = endOfToken(text, at);
      use(at, end);
      at = end;
    }
  }
}

function endOfToken(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  let end = start + 1;
  if (isMark(first)) return end;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function endsScalar(code: number): boolean {
  return code === QUOTE || isMark(code) || isBlank(code);
}

function isMark(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === LIST ||
    code === END_OF_LIST ||
    code === OBJECT ||
    code === END_OF_OBJECT
  );
}

function isBlank(code: number): boolean {
  return code === BLANK || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}
