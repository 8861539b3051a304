import { parse } from 'csv-parse/sync';
import { submission } from './edgar-submission.ts';

export type Place<Value = string> = (value: Value) => string;

export function placesOf(path: string, sample: string): Place[] {
  if (path.endsWith('.csv')) return placesInTable(sample);
  if (path.endsWith('.xml')) return placesInXml(sample);
  if (path.endsWith('.json')) return placesInJson(JSON.parse(sample));
  const lines = sample.split('\n');
  const at = lines.findIndex((line) => line.includes('"title"'));
  return placesInJson(JSON.parse(lines[at] ?? '')).map((place) => (text) => lines.with(at, place(text)).join('\n'));
}

export function valuePlacesOf(sample: string): Place<unknown>[] {
  const whole: unknown = JSON.parse(sample);
  return valuePathsOf(whole).map((path) => (value) => JSON.stringify(withAt(whole, path, value)));
}

function placesInTable(sample: string): Place[] {
  const rows: string[][] = parse(sample, { relax_column_count: true, bom: true });
  const at = rows.length - 1;
  const cells = rows[at] ?? [];
  const lineOf = (row: readonly string[]) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return cells.map(
    (_, column) => (text) => rows.map((row, index) => lineOf(index === at ? row.with(column, text) : row)).join('\n'),
  );
}

function placesInXml(sample: string): Place[] {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return [...sample.matchAll(/(?<=>)[^<>]*\S[^<>]*(?=<)|(?<==")[^"<>]*(?=")/g)].map(
    ({ index, 0: old }) =>
      (text) =>
        sample.slice(0, index) + escaped(text) + sample.slice(index + old.length),
  );
}

function placesInJson(sample: unknown): Place[] {
  return pathsOf(sample).map((path) => (text) => JSON.stringify(withAt(sample, path, text)));
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => pathsOf(item, [...path, 0]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]));
}

/** Members at the top belong to the document, not to its records. */
function valuePathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length > 1 ? [path] : [];
  if (Array.isArray(value)) return [...own, ...value.slice(0, 1).flatMap((item) => valuePathsOf(item, [...path, 0]))];
  if (typeof value !== 'object' || value === null) return own;
  const members = Object.entries(value).flatMap(([name, member]) => valuePathsOf(member, [...path, name]));
  return [...own, ...members];
}

function withAt(value: unknown, [first, ...rest]: Path, put: unknown): unknown {
  if (first === undefined) return put;
  if (Array.isArray(value)) return value.with(Number(first), withAt(value[Number(first)], rest, put));
  return { ...(value as object), [first]: withAt((value as Record<string, unknown>)[first], rest, put) };
}

export const SUBMISSION_PLACES: readonly Place[] = [
  ...(['company', 'cik', 'state', 'filed', 'period', 'fileNumber'] as const).map(
    (field): Place =>
      (text) =>
        submission('Item 8.01 Other Events.\nWe opened a plant in Reno, Nevada.', { [field]: text }),
  ),
  ...['5.02', '1.01', '3.02', '8.01'].flatMap((item): Place[] => [
    (text) => submission(`Item ${item} Title.\n${text}`),
    (text) => submission(`Item ${item} Title.\nOn November 2, 2026 Example ${text} was appointed director, effective.`),
  ]),
  (text) => submission(text),
  (text) => submission('Item 8.01 See press release.', { exhibits: [['EX-99.1', text]] }),
];

const filled = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const numbered = (size: number, unit: (at: number) => string) =>
  Array.from({ length: Math.max(1, Math.floor(size / unit(0).length)) }, (_, at) => unit(at));

export type Structure = readonly [name: string, make: (size: number) => string];

const JSON_VALUES: readonly Structure[] = [
  ['lists in lists', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['lists that do not end', (size) => '['.repeat(size)],
  ['objects in objects', (size) => `${'{"a":'.repeat(size / 6)}0${'}'.repeat(size / 6)}`],
  ['members', (size) => `{${numbered(size, (at) => `"k${at}":"v"`).join(',')}}`],
  [
    'members of a long name',
    (size) => `{"${'a'.repeat(size / 2)}":{${numbered(size / 2, (at) => `"k${at}":0`).join(',')}}}`,
  ],
  ['objects', (size) => `[${filled('{"a":0},', size)}{}]`],
  ['lists', (size) => `[${filled('[],', size)}[]]`],
  ['texts', (size) => `[${filled('"a",', size)}"a"]`],
  ['a number', (size) => `1${'0'.repeat(size)}1`],
  ['an exponent', (size) => `1e${'9'.repeat(size)}`],
  ['escapes', (size) => `"${filled('\\u0061', size)}"`],
  ['a text that does not end', (size) => `"${filled('\\"', size)}`],
  ['blanks', (size) => `${' '.repeat(size)}0`],
  ['the same member', (size) => `{${filled('"a":0,', size)}"a":1}`],
];

/**
 * Puts structures at the top of a document, and into a member of each level down to its records.
 */
export function jsonStructures(sample: string): Structure[] {
  const MARK = '"\u0001"';
  const whole = JSON.parse(sample);
  const holders = ['', ...['title', 'tender', 'x'].flatMap((name) => [name])];
  const documents = holders.map((name) => (name === '' ? MARK : JSON.stringify(withMember(whole, name))));
  return JSON_VALUES.flatMap(([name, make]) =>
    [...new Set(documents)].map(
      (document, at): Structure => [
        `${name} (${at})`,
        (size) => document.replace(JSON.stringify('\u0001'), () => make(size)).replace(MARK, () => make(size)),
      ],
    ),
  );
}

function withMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [withMember(value[0], name), ...value.slice(1)];
  if (typeof value !== 'object' || value === null) return value;
  const list = Object.entries(value).find(([, member]) => Array.isArray(member) && typeof member[0] === 'object');
  return list ? { ...value, [list[0]]: withMember(list[1], name) } : { ...value, [name]: '\u0001' };
}

export function tableStructures(sample: string): Structure[] {
  const rows: string[][] = parse(sample, { relax_column_count: true, bom: true });
  const width = rows.at(-1)?.length ?? 1;
  return [
    ['columns', (size) => `${numbered(size / 2, (at) => `c${at}`).join(',')}\n${filled('1,', size / 2)}1\n`],
    ['columns of one name', (size) => `${filled('a,', size / 2)}a\n${filled('1,', size / 2)}1\n`],
    ...(
      [
        ['rows', (size) => filled(`${','.repeat(width - 1)}\n`, size)],
        ['rows of other widths', (size) => filled('a,b\n', size)],
        ['blank lines', (size) => '\n'.repeat(size)],
        ['quotes', (size) => '"'.repeat(size)],
        ['quotes in quotes', (size) => `"${'""'.repeat(size / 2)}"`],
        ['a quote that does not end', (size) => `"${'a,\n'.repeat(size / 3)}`],
        ['quotes inside cells', (size) => filled('a"b,', size)],
        ['broken quotes', (size) => filled('"a"b,\n', size)],
        ['delimiters', (size) => ','.repeat(size)],
        ['carriage returns', (size) => '\r'.repeat(size)],
        ['a long cell', (size) => 'a'.repeat(size)],
      ] as const satisfies readonly Structure[]
    ).map(([name, make]): Structure => [name, (size) => `${sample.trimEnd()}\n${make(size)}`]),
  ];
}

export function xmlStructures(sample: string): Structure[] {
  const at = sample.lastIndexOf('</');
  const inside: readonly Structure[] = [
    ['elements in elements', (size) => '<a>'.repeat(size / 7) + '</a>'.repeat(size / 7)],
    ['elements that do not end', (size) => filled('<a>', size)],
    ['ends', (size) => filled('</a>', size)],
    ['siblings', (size) => filled('<a/>', size)],
    ['distinct siblings', (size) => numbered(size, (index) => `<a${index}/>`).join('')],
    ['entries', (size) => filled('<entry><id>a</id></entry>', size)],
    ['attributes', (size) => `<a ${numbered(size, (index) => `b${index}="" `).join('')}/>`],
    ['a long attribute', (size) => `<a b="${'c'.repeat(size)}"/>`],
    ['an attribute that does not end', (size) => `<a b="${'<a '.repeat(size / 3)}`],
    ['comments', (size) => filled('<!---->', size)],
    ['a comment that does not end', (size) => `<!--${'-'.repeat(size)}`],
    ['begun comments', (size) => filled('<!--', size)],
    ['character data', (size) => filled('<![CDATA[]]>', size)],
    ['begun character data', (size) => filled('<![CDATA[', size)],
    ['instructions', (size) => filled('<?a?>', size)],
    ['begun instructions', (size) => filled('<?a ', size)],
    ['entities', (size) => filled('&amp;', size)],
    ['numbers of characters', (size) => filled('&#65;', size)],
    ['begun entities', (size) => filled('&', size)],
    ['mixed text', (size) => filled('a<b/>', size)],
    ['angles', (size) => '<'.repeat(size)],
    ['long names', (size) => `<${'a'.repeat(size / 2)}></${'a'.repeat(size / 2)}>`],
  ];
  return inside.map(([name, make]) => [name, (size) => sample.slice(0, at) + make(size) + sample.slice(at)]);
}

const INSIDE_SUBMISSIONS: readonly Structure[] = [
  ['documents', (size) => filled('<DOCUMENT>\n', size)],
  ['texts', (size) => filled('<TEXT>\n', size)],
  ['wanted documents', (size) => filled('<DOCUMENT>\n<TYPE>8-K\n<TEXT>\n', size)],
  ['items', (size) => filled('Item 8.01 A\n', size)],
  ['distinct items', (size) => numbered(size, (at) => `Item ${at % 10}.${10 + (at % 90)} A\n`).join('')],
  ['ends', (size) => filled('SIGNATURES\n', size)],
  ['labels', (size) => filled('BUSINESS ADDRESS:\n', size)],
  ['distinct labels', (size) => filled('A B: c\n', size)],
];

export const SUBMISSION_STRUCTURES = INSIDE_SUBMISSIONS.map(
  ([name, make]): Structure => [name, (size) => submission(make(size / 2)).replace('FILER:', () => make(size / 2))],
);
