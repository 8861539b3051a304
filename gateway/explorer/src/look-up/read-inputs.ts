import { hostnameOf } from './hostname.ts';

interface Repeated {
  readonly value: string;
  readonly times: number;
}

interface Rewritten {
  readonly from: string;
  readonly to: string;
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
    };

/**
 * Reads domains or company ids from a spreadsheet column, a list or running text. It never mixes
 * the two, and reports everything that it drops or rewrites.
 */
export function readInputs(text: string): ReadInputs {
  const tokens = text.split(SEPARATORS).filter((token) => token !== '');
  if (tokens.length === 0) return { state: 'empty' };
  const read = tokens.map(readToken);
  const refused = read.flatMap((one) => (one.is === 'refused' ? [one.sentence] : []));
  if (refused[0]) return { state: 'refused', sentence: more(refused[0], refused.length - 1) };
  const ids = read.filter((one): one is Value => one.is === 'id');
  const domains = read.filter((one): one is Value => one.is === 'domain');
  if (ids[0] && domains[0]) return { state: 'refused', sentence: mixed(ids[0], domains[0]) };
  return { state: 'ready', kind: ids[0] ? 'ids' : 'domains', ...collapse([...ids, ...domains]) };
}

const SEPARATORS = /[\s,;|"'“”‘’<>()[\]{}]+/u;

interface Value {
  readonly is: 'id' | 'domain';
  readonly value: string;
  readonly from: string;
}

type Token = Value | { readonly is: 'refused'; readonly sentence: string };

function readToken(token: string): Token {
  if (/^\d+$/.test(token)) return readId(token);
  if (/^[^/]*@/.test(token) && !token.includes('://'))
    return refuse(`“${token}” is an e-mail address: paste the domain of the company's website instead.`);
  const value = hostnameOf(token);
  if (value?.includes('.')) return { is: 'domain', value, from: token };
  return refuse(`“${token}” is neither a domain nor a company id: correct or remove it.`);
}

function readId(token: string): Token {
  const isId = /^[1-9]/.test(token) && Number.isSafeInteger(Number(token));
  return isId
    ? { is: 'id', value: token, from: token }
    : refuse(`“${token}” is not a company id: ids are whole numbers from 1, without leading zeros.`);
}

function refuse(sentence: string): Token {
  return { is: 'refused', sentence };
}

function more(sentence: string, others: number): string {
  return others === 0
    ? sentence
    : `${sentence} ${others === 1 ? 'One other value is' : `${others} other values are`} also invalid.`;
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
