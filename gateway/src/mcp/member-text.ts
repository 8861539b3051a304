import { TOKENS } from '../input/json.ts';

/**
 * The text of the member at `path` below the root object of a text that is known to be JSON: of several the last, as
 * JSON.parse has it. Undefined when there is none.
 */
export function memberText(text: string, path: readonly string[]): string | undefined {
  const keys: string[] = [];
  let depth = 0;
  let previous = '';
  let start: number | undefined;
  let found: string | undefined;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    if (start !== undefined && depth === path.length && (closes || token === ',')) {
      found = text.slice(start, index);
      start = undefined;
    }
    if (closes) depth -= 1;
    if (token === '{' || token === '[') {
      depth += 1;
      keys.length = depth - 1;
    }
    if (token === ':') {
      keys[depth - 1] = JSON.parse(previous);
      keys.length = depth;
      if (start === undefined && isAt(keys, path)) start = index + 1;
    }
    previous = token;
  }
  return found;
}

function isAt(keys: readonly string[], path: readonly string[]): boolean {
  return keys.length === path.length && path.every((key, level) => keys[level] === key);
}
