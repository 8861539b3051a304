/**
 * Members whose value differs between runs, by their path. The comparison checks only their type.
 * Ids of sample companies and observations are the same in every stack.
 */
const VARYING =
  /(^\/usage\/id|\/(as_of|next_cursor|occurred_at|observed_at|expires_at|occurred_after|window_remaining|weekly_remaining))$/;

/**
 * Lists the differences between a guide's block and the actual output. Ignores members that `// …`
 * omits.
 */
export function differences(language: string, shown: string, printed: string): readonly string[] {
  if (language === 'text') return missingLines(shown, printed);
  const actual: unknown = JSON.parse(printed);
  return compare(parseShown(shown), actual, { path: '', whole: language === 'json' });
}

/** Lists lines that the output lacks. Ignores numbers and requires the order shown. */
function missingLines(shown: string, printed: string): readonly string[] {
  const left = printed.split('\n').map(withoutNumbers);
  return shown
    .trimEnd()
    .split('\n')
    .filter((line) => {
      const found = left.indexOf(withoutNumbers(line));
      if (found >= 0) left.splice(0, found + 1);
      return found < 0;
    });
}

function withoutNumbers(line: string): string {
  return line.trim().replace(/\d+/g, '0');
}

function parseShown(text: string): unknown {
  return JSON.parse(text.replace(/\s\/\/ …$/gm, '').replace(/,(\s*[}\]])/g, '$1'));
}

interface Location {
  readonly path: string;
  readonly whole: boolean;
}

function compare(shown: unknown, actual: unknown, location: Location): readonly string[] {
  if (typeof shown !== typeof actual || Array.isArray(shown) !== Array.isArray(actual))
    return [`${location.path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(actual)}`];
  if (shown === null || actual === null || typeof shown !== 'object') return compareValues(shown, actual, location);
  const { length } = Object.keys(shown);
  const tooMuch = location.whole || (Array.isArray(shown) && length === 0);
  const extra = tooMuch && Object.keys(actual as object).length > length ? [`${location.path}: more was printed`] : [];
  const inside = Object.entries(shown).flatMap(([name, value]) =>
    compare(value, (actual as Record<string, unknown>)[name], { ...location, path: `${location.path}/${name}` }),
  );
  return [...extra, ...inside];
}

function compareValues(shown: unknown, actual: unknown, { path }: Location): readonly string[] {
  const varies = VARYING.test(path);
  return varies || shown === actual
    ? []
    : [`${path}: shown ${JSON.stringify(shown)}, printed ${JSON.stringify(actual)}`];
}
