import { COLON, COMMA, END_OF_LIST, END_OF_OBJECT, forEachToken, LIST, OBJECT } from '../input/json-tokens.ts';

/** Of duplicate members the last counts, as in JSON.parse. */
export function memberText(text: string, path: readonly string[]): string | undefined {
  const keys: string[] = [];
  let depth = 0;
  let previous = 0;
  let start: number | undefined;
  let found: string | undefined;
  forEachToken(text, (index, end) => {
    const first = text.charCodeAt(index);
    const closes = first === END_OF_OBJECT || first === END_OF_LIST;
    if (start !== undefined && depth === path.length && (closes || first === COMMA)) {
      found = text.slice(start, index);
      start = undefined;
    }
    if (closes) depth -= 1;
    else if (first === OBJECT || first === LIST) {
      depth += 1;
      if (keys.length >= depth) keys.length = depth - 1;
    } else if (first === COLON && depth <= path.length) {
      keys[depth - 1] = JSON.parse(text.slice(previous, index));
      keys.length = depth;
      if (start === undefined && isAt(keys, path)) start = end;
    }
    previous = index;
  });
  return found;
}

function isAt(keys: readonly string[], path: readonly string[]): boolean {
  return keys.length === path.length && path.every((key, level) => keys[level] === key);
}
