import { InvalidInput } from '../errors/public-error.ts';

export interface JsonRules {
  /** Names the text in messages. */
  readonly subject: string;
  /** Deepest nesting. */
  readonly maxDepth: number;
  /** Whether numbers must be whole and at most 2^53 - 1. */
  readonly wholeNumbers: boolean;
}

/** Rules of what a caller sends: request bodies, and the arguments of a tool under another name. */
export const BODY_RULES: JsonRules = { subject: 'The body', maxDepth: 16, wholeNumbers: true };

/** The tokens of a text that is known to be JSON. The last quote may be missing, so that other texts take no longer. */
export const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
/** Far more than any object of the interface has; what is refused in any case is not looked at for long. */
const MOST_MEMBERS = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON as the interface takes it: UTF-8, no duplicate keys, no `__proto__`, at most 16 levels and 1,000 members an object, whole
 * numbers up to 2^53 - 1. Throws InvalidInput.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const value = parse(text);
  checkJson(text, BODY_RULES);
  return value;
}

/** Throws InvalidInput. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidInput('The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('The body is not well-formed JSON.');
  }
}

/** Throws InvalidInput for what JSON.parse lets through; the text is known to be JSON. */
export function checkJson(text: string, { subject, maxDepth, wholeNumbers }: JsonRules): void {
  const open: (Set<string> | undefined)[] = [];
  let keyExpected = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : undefined) > maxDepth)
        throw new InvalidInput(`${subject} is nested deeper than ${maxDepth} levels.`);
      keyExpected = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      keyExpected = false;
    } else if (token === ',') {
      keyExpected = open.at(-1) !== undefined;
    } else if (token.startsWith('"')) {
      const string = readString(token);
      if (keyExpected) addKey(open.at(-1), string);
      keyExpected = false;
    } else if (wholeNumbers && /^[-\d]/.test(token)) {
      checkNumber(token);
    }
  }
}

function readString(token: string): string {
  const string: string = JSON.parse(token);
  if (!string.isWellFormed() || string.includes('\0'))
    throw new InvalidInput('Texts may contain neither NUL nor half a surrogate pair.');
  return string;
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys && keys.size >= MOST_MEMBERS) throw new InvalidInput('An object has more than 1,000 members.');
  if (key === '__proto__') throw new InvalidInput('The key `__proto__` is not allowed.');
  if (keys?.has(key))
    throw new InvalidInput(`The key ${JSON.stringify(key.slice(0, 100))} stands twice in one object.`);
  keys?.add(key);
}

function checkNumber(token: string): void {
  if (!isWhole(token) || !Number.isSafeInteger(Number(token)))
    throw new InvalidInput('Numbers must be whole and at most 9007199254740991.');
}

/** Judged by the digits, since 1.00000000000000000001 would round to 1. Takes time in proportion to their number. */
function isWhole(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const decimals = lengthWithoutZeros(fraction);
  const digits = lengthWithoutZeros(whole);
  if (decimals === 0 && digits === 0) return true;
  return Number(exponent) >= (decimals === 0 ? digits - whole.length : decimals);
}

/** How long a text of digits is without the zeros at its end; no expression, since one without an anchor is quadratic. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}
