import { parse } from 'lossless-json';

/** An object of JSON whose members are not checked yet. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** What has members; a list has none. */
export function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As many digits as the least integer that a double may round. */
const LONG_NUMBER = /\d{16}/;

/** As JSON.parse, but for integers that a double would round: they are texts of their digits, since they are ids. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, undefined, {
    parseNumber: (digits) => (isRounded(digits) ? digits : Number(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Whether a number of JSON is an integer that a double would round. */
export function isRounded(number: string): boolean {
  return LONG_NUMBER.test(number) && /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** Undefined for a text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A text, or a number as text; empty for anything else, which may not even have a text. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
