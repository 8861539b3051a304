import { HOSTILE_TEXTS } from '../../../support/linear/hostile-texts.ts';

export interface Shape {
  readonly name: string;
  readonly text: string;
}

/** The largest text whose JSON fits into `bytes`. */
function fitted(
  make: (size: number) => string,
  bytes: number,
  wrap: (text: string) => string = JSON.stringify,
): string {
  let size = bytes;
  for (let tries = 0; tries < 20; tries += 1) {
    const wrapped = wrap(make(size).toWellFormed());
    const length = Buffer.byteLength(wrapped);
    if (length <= bytes) return wrapped;
    size = Math.floor(size * Math.min(0.95, bytes / length));
  }
  throw new Error('nothing fits');
}

/**
 * Hostile texts in each text member of a search or look-up, at the body limit and at the text
 * limit.
 */
export function textShapes(bytes: number): Shape[] {
  const query = (text: string) => JSON.stringify({ query: text });
  return HOSTILE_TEXTS.flatMap(({ name, make }) => [
    { name: `query of ${name}`, text: fitted(make, bytes, query) },
    ...[4_000, 500].map((admitted) => ({
      name: `query of ${name}, ${admitted} characters`,
      text: query(['a', ...make(admitted)].slice(0, admitted).join('').toWellFormed()),
    })),
  ]);
}

export function valueShapes(bytes: number): Shape[] {
  const since = '2026-01-01T00:00:00Z';
  const chosen = HOSTILE_TEXTS.filter(({ name }) =>
    /^(letters|digits|zeros|blanks|dots|dashes|labels|marks|ideographs|distinct|tags|joiners|wide|percents|slashes)/.test(
      name,
    ),
  );
  const many = (make: (size: number) => string) =>
    Array.from({ length: 100 }, (_, at) => `${make(bytes / 300)}${at}.example`);
  const both = (members: object) => JSON.stringify({ query: 'a', since, domains: ['a.example'], ...members });
  const lookUp = (domains: readonly string[]) => JSON.stringify({ since, domains });
  const filter = (domains: readonly string[]) => JSON.stringify({ query: 'a', filters: { domains } });
  const instant = (text: string) => both({ since: `2026-01-01T00:00:00.${text}Z`, filters: { occurred_after: text } });
  return chosen.flatMap(({ name, make }) => [
    { name: `a hostname of ${name} to look up`, text: fitted(make, bytes, (text) => lookUp([text])) },
    { name: `a hostname of ${name} in a filter`, text: fitted(make, bytes, (text) => filter([text])) },
    { name: `hostnames of ${name} to look up`, text: lookUp(many(make)).slice(0, bytes) },
    { name: `hostnames of ${name} in a filter`, text: filter(many(make)).slice(0, bytes) },
    { name: `an instant of ${name}`, text: fitted(make, bytes, instant) },
    { name: `a cursor of ${name}`, text: fitted(make, bytes, (text) => both({ cursor: text })) },
  ]);
}

function jsonShapes(bytes: number): Shape[] {
  const size = bytes - 100;
  const numbers: Readonly<Record<string, string>> = {
    'zeros between digits': `1${'0'.repeat(size)}1`,
    digits: '9'.repeat(size),
    zeros: `0.${'0'.repeat(size)}`,
    'zeros between decimals': `1.${'0'.repeat(size)}1`,
    'zeros and an exponent': `1${'0'.repeat(size - 9)}1e-5`,
    'digits of an exponent': `1e${'9'.repeat(size)}`,
  };
  const members = (value: string) => Array.from({ length: size / 12 }, (_, at) => `"k${at}":${value}`).join(',');
  const lists = { company_ids: '1', domains: '"a"', countries: '"XX"', kinds: '"x"', exclude_domains: '""' };
  const texts: Record<string, string> = {
    'levels that do not end': '['.repeat(size),
    levels: `{"query":${'['.repeat(size / 2 - 9)}${']'.repeat(size / 2 - 9)}}`,
    'levels of objects': `${'{"a":'.repeat(size / 6)}0${'}'.repeat(size / 6)}`,
    '14 levels again and again': `{"query":[${`${'['.repeat(13)}${']'.repeat(13)},`.repeat(size / 27 - 2)}0]}`,
    objects: `{"query":[${'{},'.repeat(size / 3 - 9)}{}]}`,
    'objects of a member': `{"query":[${'{"a":0},'.repeat(size / 8 - 9)}{}]}`,
    members: `{${members('0')}}`,
    '1,000 members': `{${Array.from({ length: 1_000 }, (_, at) => `"${`${at}`.padEnd(size / 1_000 - 8, 'k')}":0`).join(',')}}`,
    'a long member': `{"${'a'.repeat(size)}":0}`,
    'a long member twice': `{"${'a'.repeat(size / 2 - 9)}":0,"${'a'.repeat(size / 2 - 9)}":0}`,
    blanks: `{"query":${' '.repeat(size)}"a"}`,
    escapes: `{"query":"${'\\u0061'.repeat(size / 6 - 3)}"}`,
    'half pairs': `{"query":"${'\\ud800'.repeat(size / 6 - 3)}"}`,
    'a text that does not end': `{"query":"${'\\"'.repeat(size / 2)}`,
  };
  for (const [name, number] of Object.entries(numbers)) {
    texts[`a limit of ${name}`] = `{"query":"a","limit":${number}}`;
    texts[`an id of ${name}`] = `{"filters":{"company_ids":[${number}]}}`;
  }
  for (const [member, item] of Object.entries(lists)) {
    const list = `[${`${item},`.repeat(size / (item.length + 1) - 20)}${item}]`;
    texts[`${member}, many`] = `{"query":"a","filters":{"${member}":${list}}}`;
    texts[`${member} to look up, many`] = `{"${member}":${list}}`;
  }
  return Object.entries(texts).map(([name, text]) => ({ name, text }));
}

export function bodyShapes(bytes: number): Shape[] {
  return [...textShapes(bytes), ...valueShapes(bytes), ...jsonShapes(bytes)];
}

const UNITS = '0 9 a . - %20 %22 %5C %00 %E2%80%8D %CC%81%CC%96 %C3%A9 a. xn-- / %2F ; + , ='.split(' ');

/** For an address. */
export function headShapes(size: number): Shape[] {
  const ideographs = Array.from({ length: size / 9 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  return [
    ...UNITS.map((unit) => ({ name: unit, text: unit.repeat(size / unit.length) })),
    { name: 'zeros between digits', text: `1${'0'.repeat(size - 2)}1` },
    { name: 'distinct ideographs', text: encodeURIComponent(ideographs.join('')) },
  ];
}

export function manyParameters(size: number): Shape[] {
  return ['ids[]=1', 'domains[]=a.b', 'a=', '='].map((one) => ({
    name: `many ${one}`,
    text: Array(Math.floor(size / (one.length + 1)))
      .fill(one)
      .join('&'),
  }));
}

export function headerShapes(bytes: number): Shape[] {
  return ['a', ' ', '0', '\u00e9', '"', '\\', '%', 'a ', '\u00cc\u0081\u00cc\u0096'].flatMap((unit) =>
    [1_000, bytes].map((size) => ({
      name: `${size} bytes of ${unit}`,
      text: `a${unit.repeat(size / unit.length)}a`,
    })),
  );
}
