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
  return chosen.flatMap(({ name, make }) => [
    {
      name: `a hostname of ${name} to look up`,
      text: fitted(make, bytes, (text) => JSON.stringify({ since, domains: [text] })),
    },
    {
      name: `a hostname of ${name} in a filter`,
      text: fitted(make, bytes, (text) => JSON.stringify({ query: 'a', filters: { domains: [text] } })),
    },
    { name: `hostnames of ${name} to look up`, text: JSON.stringify({ since, domains: many(make) }).slice(0, bytes) },
    {
      name: `hostnames of ${name} in a filter`,
      text: JSON.stringify({ query: 'a', filters: { domains: many(make) } }).slice(0, bytes),
    },
    {
      name: `an instant of ${name}`,
      text: fitted(make, bytes, (text) =>
        both({ since: `2026-01-01T00:00:00.${text}Z`, filters: { occurred_after: text } }),
      ),
    },
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
  return [
    ...Object.entries(numbers).flatMap(([name, number]) => [
      { name: `a limit of ${name}`, text: `{"query":"a","limit":${number}}` },
      { name: `an id of ${name}`, text: `{"filters":{"company_ids":[${number}]}}` },
    ]),
    { name: 'levels that do not end', text: '['.repeat(size) },
    { name: 'levels', text: `{"query":${'['.repeat(size / 2 - 9)}${']'.repeat(size / 2 - 9)}}` },
    { name: 'levels of objects', text: `${'{"a":'.repeat(size / 6)}0${'}'.repeat(size / 6)}` },
    {
      name: '14 levels again and again',
      text: `{"query":[${`${'['.repeat(13)}${']'.repeat(13)},`.repeat(size / 27 - 2)}0]}`,
    },
    { name: 'objects', text: `{"query":[${'{},'.repeat(size / 3 - 9)}{}]}` },
    { name: 'objects of a member', text: `{"query":[${'{"a":0},'.repeat(size / 8 - 9)}{}]}` },
    { name: 'members', text: `{${members('0')}}` },
    {
      name: '1,000 members',
      text: `{${Array.from({ length: 1_000 }, (_, at) => `"${`${at}`.padEnd(size / 1_000 - 8, 'k')}":0`).join(',')}}`,
    },
    { name: 'a long member', text: `{"${'a'.repeat(size)}":0}` },
    { name: 'a long member twice', text: `{"${'a'.repeat(size / 2 - 9)}":0,"${'a'.repeat(size / 2 - 9)}":0}` },
    { name: 'blanks', text: `{"query":${' '.repeat(size)}"a"}` },
    { name: 'escapes', text: `{"query":"${'\\u0061'.repeat(size / 6 - 3)}"}` },
    { name: 'half pairs', text: `{"query":"${'\\ud800'.repeat(size / 6 - 3)}"}` },
    { name: 'a text that does not end', text: `{"query":"${'\\"'.repeat(size / 2)}` },
    ...Object.entries(lists).flatMap(([member, item]) => [
      {
        name: `${member}, many`,
        text: `{"query":"a","filters":{"${member}":[${`${item},`.repeat(size / (item.length + 1) - 20)}${item}]}}`,
      },
      {
        name: `${member} to look up, many`,
        text: `{"${member}":[${`${item},`.repeat(size / (item.length + 1) - 20)}${item}]}`,
      },
    ]),
  ];
}

export function bodyShapes(bytes: number): Shape[] {
  return [...textShapes(bytes), ...valueShapes(bytes), ...jsonShapes(bytes)];
}

export function headShapes(size: number): Shape[] {
  const units = [
    '0',
    '9',
    'a',
    '.',
    '-',
    '%20',
    '%22',
    '%5C',
    '%00',
    '%E2%80%8D',
    '%CC%81%CC%96',
    '%C3%A9',
    'a.',
    'xn--',
    '/',
    '%2F',
    ';',
    '+',
    ',',
    '=',
  ];
  return [
    ...units.map((unit) => ({ name: unit, text: unit.repeat(size / unit.length) })),
    { name: 'zeros between digits', text: `1${'0'.repeat(size - 2)}1` },
    {
      name: 'distinct ideographs',
      text: encodeURIComponent(Array.from({ length: size / 9 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')),
    },
  ];
}
