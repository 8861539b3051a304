import { readColumn } from './read-table.ts';

interface Repeated {
  readonly value: string;
  readonly times: number;
}

interface Rewritten {
  readonly from: string;
  readonly to: string;
}

export interface Skipped {
  readonly text: string;
  readonly reason: string;
}

export type ReadInputs =
  | { readonly state: 'empty' }
  | { readonly state: 'refused'; readonly sentence: string }
  | {
      readonly state: 'ready';
      readonly kind: 'ids' | 'domains';
      /** Distinct, in the order pasted. */
      readonly values: readonly string[];
      readonly repeated: readonly Repeated[];
      readonly rewritten: readonly Rewritten[];
      readonly skipped: readonly Skipped[];
      readonly column?: string;
    };

/** Never mixes the two kinds; reports everything that it drops or rewrites. */
export function readInputs(text: string): ReadInputs {
  const table = readColumn(text, isDomain) ?? readColumn(text, isId);
  const tokens = (table ? table.cells : [text]).flatMap(tokensOf);
  if (tokens.length === 0) return { state: 'empty' };
  const read = tokens.map(readToken);
  const skipped = read.flatMap((one) => (one.is === 'skipped' ? [{ text: one.text, reason: one.reason }] : []));
  const ids = read.filter((one): one is Value => one.is === 'id');
  const domains = read.filter((one): one is Value => one.is === 'domain');
  if (ids[0] && domains[0]) return { state: 'refused', sentence: mixed(ids[0], domains[0]) };
  if (!ids[0] && !domains[0]) return { state: 'refused', sentence: nothing(skipped) };
  const others = table && (table.others === 1 ? '1 other column' : `${table.others} other columns`);
  return {
    state: 'ready',
    kind: ids[0] ? 'ids' : 'domains',
    ...collapse([...ids, ...domains]),
    skipped,
    ...(table && { column: `column ${table.name}, not ${others}` }),
  };
}

const SEPARATORS = /[\s,;|"'“”‘’<>()[\]{}]+/u;

function tokensOf(text: string): readonly string[] {
  return text.split(SEPARATORS).filter((token) => token !== '');
}

/** Removes the `www.` of every address in a text and keeps the rest as it is. */
export function withoutWww(text: string): string {
  return text.replace(/(?<=^|[\s,;|"'“”‘’<>()[\]{}]|\/\/)www\.(?=[^\s.]+\.)/gi, '');
}

interface Value {
  readonly is: 'id' | 'domain';
  readonly value: string;
  readonly from: string;
}

type Token = Value | (Skipped & { readonly is: 'skipped' });

function readToken(token: string): Token {
  if (/^\d+$/.test(token)) return readId(token);
  if (isMailAddress(token)) return skip(token, 'an e-mail address');
  const value = hostnameOf(token);
  if (value?.includes('.')) return { is: 'domain', value, from: token };
  return skip(token, 'neither a domain nor a company id');
}

function readId(token: string): Token {
  const isCompanyId = /^[1-9]/.test(token) && Number.isSafeInteger(Number(token));
  return isCompanyId
    ? { is: 'id', value: token, from: token }
    : skip(token, 'not a company id: ids are whole numbers from 1, without leading zeros');
}

function isDomain(cell: string): boolean {
  return !isMailAddress(cell) && hostnameOf(cell)?.includes('.') === true;
}

function isId(cell: string): boolean {
  return /^[1-9]\d*$/.test(cell);
}

function isMailAddress(text: string): boolean {
  return /^[^/]*@/.test(text) && !text.includes('://');
}

function skip(text: string, reason: string): Token {
  return { is: 'skipped', text, reason };
}

function nothing(skipped: readonly Skipped[]): string {
  const [first] = skipped;
  const others = skipped.length - 1;
  const more =
    others === 0 ? '' : ` ${others === 1 ? 'One other value is' : `${others} other values are`} also invalid.`;
  return `“${first?.text}” is ${first?.reason}. Paste domains, website addresses or company ids.${more}`;
}

function mixed(id: Value, domain: Value): string {
  return `There are both ids (${id.from}) and domains (${domain.from}): look up ids and domains separately.`;
}

function collapse(all: readonly Value[]) {
  const counts = new Map<string, number>();
  for (const { value } of all) counts.set(value, (counts.get(value) ?? 0) + 1);
  return {
    values: [...counts.keys()],
    repeated: [...counts].flatMap(([value, times]) => (times > 1 ? [{ value, times }] : [])),
    rewritten: all.flatMap(({ from, value }) => (from === value ? [] : [{ from, to: value }])),
  };
}

/** Normalised as in the service, but keeps `www.`. Undefined for other text and IP addresses. */
function hostnameOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  const hostname = parse(address.replace(/^[a-z][a-z0-9+.-]*:/i, 'https:'))?.replace(/\.$/, '');
  if (hostname === undefined || hostname.length > MOST_CHARACTERS) return undefined;
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^\d+$/.test(labels.at(-1) ?? '');
  return !isAddress && labels.every((label) => LABEL.test(label)) ? hostname : undefined;
}

const MOST_CHARACTERS = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function parse(address: string): string | undefined {
  return URL.parse(address)?.hostname;
}
