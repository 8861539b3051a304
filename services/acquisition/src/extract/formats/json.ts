import { parse } from 'lossless-json';

export type JsonMembers = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The shortest integer that a double may round. */
const LONG_NUMBER = /\d{16}/;

/** JSON.parse, but integers that a double would round become strings. Throws SyntaxError. */
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

/** Anything but a string or a number is empty, because its conversion may throw. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
