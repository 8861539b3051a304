import { parse } from 'lossless-json';

export type JsonMembers = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The smallest integer that a double may round has 16 digits. */
const LONG_NUMBER = /\d{16}/;

/**
 * Same as JSON.parse, but integers that a double would round become strings, because they are ids.
 * Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, undefined, {
    parseNumber: (digits) => (isRounded(digits) ? digits : Number(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

export function isRounded(number: string): boolean {
  return LONG_NUMBER.test(number) && /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}

export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A string or a number as text; anything else is empty, because its conversion may throw. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
