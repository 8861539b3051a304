import { InvalidInput } from '../errors/public-error.ts';
import { nearestName } from './nearest.ts';

export class QueryParameters {
  readonly #pairs: readonly (readonly [name: string, value: string])[];

  private constructor(pairs: readonly (readonly [string, string])[]) {
    this.#pairs = pairs;
  }

  /** Throws InvalidInput for an unknown parameter. */
  static parse(url: string, known: readonly string[]): QueryParameters {
    const at = url.indexOf('?');
    const parts =
      at < 0
        ? []
        : url
            .slice(at + 1)
            .split('&')
            .filter(Boolean);
    const pairs = parts.map(parsePair);
    for (const [name] of pairs) if (!known.includes(name)) throw unknownParameter(name, known);
    return new QueryParameters(pairs);
  }

  all(name: string): string[] {
    return this.#pairs.filter(([each]) => each === name).map(([, value]) => value);
  }

  /** Throws InvalidInput for a repeated parameter. */
  one(name: string): string | undefined {
    const values = this.all(name);
    if (values.length > 1) throw new InvalidInput(`\`${name}\` is given more than once.`);
    return values[0];
  }
}

function unknownParameter(name: string, known: readonly string[]): InvalidInput {
  const mistake = `\`${name.slice(0, 100)}\` is not a query parameter of this call`;
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return new InvalidInput(`${mistake}: did you mean \`${nearest}\`?`);
  return new InvalidInput(`${mistake}. It takes ${known.length === 0 ? 'none' : known.join(', ')}.`);
}

export function pageParameters(
  query: QueryParameters,
  texts: readonly string[],
  mostLimit: number,
): Readonly<Record<string, string | number>> {
  const given = texts.flatMap((name) => {
    const value = query.one(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const limit = query.one('limit');
  return { ...Object.fromEntries(given), ...(limit !== undefined && { limit: parseLimit(limit, mostLimit) }) };
}

function parseLimit(text: string, most: number): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text) || Number(text) > most)
    throw new InvalidInput(`\`limit\` must be a whole number from 1 to ${most}.`);
  return Number(text);
}

function parsePair(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
  return [decode(name), decode(value)];
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new InvalidInput('The query is not percent-encoded UTF-8.');
  }
  if (decoded.includes('\0')) throw new InvalidInput('The query contains NUL.');
  return decoded;
}
