import { InvalidInput } from '../errors/public-error.ts';
import { type JsonStep, nameOf } from './json-path.ts';
import { COMMA, END_OF_LIST, END_OF_OBJECT, forEachToken, LIST, OBJECT } from './json-tokens.ts';

export interface JsonRules {
  readonly subject: string;
  readonly maxDepth: number;
  readonly wholeNumbers: boolean;
  readonly maxItems: number;
}

export const BODY_RULES: JsonRules = { subject: 'The body', maxDepth: 16, wholeNumbers: true, maxItems: 200 };

/** Far above any object of the interface; bounds the work on refused input. */
const MOST_MEMBERS = 1_000;
const MINUS = 0x2d;
const [ZERO, NINE] = [0x30, 0x39];
const QUOTE = 0x22;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * UTF-8, no duplicate keys, no `__proto__`, at most 16 levels, 1,000 members and 200 items. Numbers
 * are integers up to 2^53 - 1. Throws InvalidInput.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const value = parse(text);
  checkJson(text, BODY_RULES);
  return value;
}

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

interface Level {
  readonly isObject: boolean;
  keys?: Set<string>;
  /** Being read. */
  key?: string;
  commas: number;
}

/** Throws InvalidInput for well-formed JSON that the rules forbid. Messages begin with the path. */
export function checkJson(text: string, { subject, maxDepth, wholeNumbers, maxItems }: JsonRules): void {
  const open: Level[] = [];
  let keyExpected = false;
  const refuse = (levels: readonly Level[], mistake: string): never => {
    throw new InvalidInput(`${nameOf(levels.map(stepInto), subject)} ${mistake}`);
  };
  const addKey = (level: Level, key: string): void => {
    level.keys ??= new Set();
    if (level.keys.size >= MOST_MEMBERS) refuse(open.slice(0, -1), 'has more than 1,000 members.');
    const isKnown = level.keys.has(key);
    level.keys.add(key);
    level.key = key;
    if (key === '__proto__') refuse(open, 'is not allowed.');
    if (isKnown) refuse(open, 'is given twice.');
  };
  forEachToken(text, (start, end) => {
    const first = text.charCodeAt(start);
    const level = open.at(-1);
    if (first === OBJECT || first === LIST) {
      keyExpected = first === OBJECT;
      if (open.push({ isObject: keyExpected, commas: 0 }) > maxDepth)
        throw new InvalidInput(`${subject} is nested deeper than ${maxDepth} levels.`);
    } else if (first === END_OF_OBJECT || first === END_OF_LIST) {
      open.pop();
      keyExpected = false;
    } else if (first === COMMA && level) {
      level.commas += 1;
      keyExpected = level.isObject;
      if (!level.isObject && level.commas >= maxItems)
        refuse(open.slice(0, -1), `has too many items: at most ${maxItems}.`);
    } else if (first === QUOTE) {
      const string: string = JSON.parse(text.slice(start, end));
      if (!isText(string)) refuse(keyExpected ? open.slice(0, -1) : open, UNPRINTABLE);
      if (keyExpected && level) addKey(level, string);
      keyExpected = false;
    } else if (wholeNumbers && (first === MINUS || (first >= ZERO && first <= NINE))) {
      if (!isAllowedNumber(text.slice(start, end))) refuse(open, NOT_WHOLE);
    }
  });
}

const UNPRINTABLE = 'contains NUL or half a surrogate pair.';
const NOT_WHOLE = `must be a whole number of at most ${Number.MAX_SAFE_INTEGER}.`;

function stepInto({ isObject, key = '', commas }: Level): JsonStep {
  return isObject ? key : commas;
}

function isText(string: string): boolean {
  return string.isWellFormed() && !string.includes('\0');
}

function isAllowedNumber(token: string): boolean {
  return isWhole(token) && Number.isSafeInteger(Number(token));
}

/** Checks the digits, since 1.00000000000000000001 would round to 1. */
function isWhole(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const decimals = lengthWithoutZeros(fraction);
  const digits = lengthWithoutZeros(whole);
  if (decimals === 0 && digits === 0) return true;
  return Number(exponent) >= (decimals === 0 ? digits - whole.length : decimals);
}

/** An unanchored regular expression would be quadratic. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}
