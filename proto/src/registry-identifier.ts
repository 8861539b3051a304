export const IDENTIFIER_SCHEMES = [
  'cik',
  'lei',
  'uei',
  'bn',
  'ein',
  'duns',
  'cage',
  'isin',
  'bic',
  'register',
  'opencorporates',
  'spglobal',
] as const;

export type IdentifierScheme = (typeof IDENTIFIER_SCHEMES)[number];

/**
 * Each company has its own number in these schemes, so a shared one merges two records. The other
 * schemes also identify securities, places or groups, and only confirm a name match (decision
 * 0015).
 */
const IDENTIFYING: ReadonlySet<string> = new Set<IdentifierScheme>([
  'cik',
  'lei',
  'uei',
  'bn',
  'register',
  'opencorporates',
  'spglobal',
]);

export function identifies(scheme: string): boolean {
  return IDENTIFYING.has(scheme);
}

export function isIdentifierScheme(scheme: string): scheme is IdentifierScheme {
  return Object.hasOwn(FORMS, scheme);
}

/**
 * Normalizes an identifier: upper case, without optional parts of its scheme. Undefined if its form
 * or check digits are wrong, or if it is truncated or a placeholder (decision 0015).
 */
export function normalIdentifier(scheme: IdentifierScheme, value: string): string | undefined {
  if (value.length > MOST_CHARACTERS) return undefined;
  return FORMS[scheme](value.toUpperCase().replace(/\s/g, ''));
}

const MOST_CHARACTERS = 64;

type Form = (value: string) => string | undefined;

const FORMS: Readonly<Record<IdentifierScheme, Form>> = {
  cik: (value) => matching(/^[1-9]\d{0,9}$/, value.replace(/^0+/, '')),
  lei: (value) => matching(/^[0-9A-Z]{18}\d{2}$/, value, hasLeiCheckDigits),
  uei: (value) => matching(/^[1-9A-HJ-NP-Z][0-9A-HJ-NP-Z]{11}$/, value),
  // Drops the program account (RC0001) after the legal entity's number.
  bn: (value) => matching(/^\d{9}$/, value.replace(/^(\d{9})[A-Z]{2}\d{4}$/, '$1'), isWhole, hasLuhnDigit),
  ein: (value) => matching(/^\d{9}$/, value.replace(/^(\d{2})-(\d{7})$/, '$1$2'), isWhole, hasEinPrefix),
  duns: (value) => matching(/^\d{9}$/, value.replace(/^(\d{2})-(\d{3})-(\d{4})$/, '$1$2$3'), isWhole),
  cage: (value) => matching(/^(?=\D*\d)[0-9A-HJ-NP-Z]{5}$/, value, (code) => !isOneCharacter(code)),
  isin: (value) => matching(/^[A-Z]{2}[0-9A-Z]{9}\d$/, value, (code) => hasLuhnDigit(lettersAsNumbers(code))),
  // Drops the optional branch code of a head office.
  bic: (value) => matching(/^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}(?:[0-9A-Z]{3})?$/, value.replace(/^(.{8})XXX$/, '$1')),
  register: (value) => matching(/^RA\d{6}:(?=[^1-9A-Z]*[1-9A-Z])[0-9A-Z./:-]{1,50}$/, value, isOfRegister),
  opencorporates: (value) => matching(/^[A-Z]{2}(?:_[A-Z]{2})?\/[0-9A-Z._-]{1,50}$/, value),
  spglobal: (value) => matching(/^[1-9]\d{3,11}$/, value.replace(/^IQ/, '')),
};

function matching(form: RegExp, value: string, ...checks: readonly ((value: string) => boolean)[]): string | undefined {
  return form.test(value) && checks.every((holds) => holds(value)) ? value : undefined;
}

/** Rejects placeholders, and numbers whose last digits a file replaced by zeros. */
function isWhole(digits: string): boolean {
  return !digits.endsWith('000') && !isOneCharacter(digits) && digits !== '123456789' && digits !== '987654321';
}

function isOneCharacter(value: string): boolean {
  return new Set(value).size === 1;
}

function hasEinPrefix(digits: string): boolean {
  return !digits.startsWith('00');
}

/** Rejects codes for entities without a register, or whose register has no code. */
function isOfRegister(value: string): boolean {
  return !/^RA(?:888888|999999|000000):/.test(value);
}

/** ISO 7064 MOD 97-10: the number, with letters as 10 to 35, leaves remainder 1. */
function hasLeiCheckDigits(lei: string): boolean {
  let rest = 0;
  for (const digit of lettersAsNumbers(lei)) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

function lettersAsNumbers(code: string): string {
  return [...code].map((character) => String(Number.parseInt(character, 36))).join('');
}

function hasLuhnDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
