import { foldText } from './folded-text.ts';
import { isEmployer, isNumberOfThing, isNumberOrPosition } from './other-shapes.ts';
import { shownText } from './shown-text.ts';

/** A pattern over folded text. A text that misses one of the cheap `signs` has no match. */
export interface ContactShape {
  readonly signs: readonly RegExp[];
  readonly pattern: RegExp;
  /** Whether a match is no contact; `before` holds up to `MOST_BEFORE` preceding UTF-16 units. */
  readonly isOther?: (match: string, before: string) => boolean;
}

export const MOST_BEFORE = 40;

const SEVEN_DIGITS = /\d(?:[\s()./\u00b7-]{0,3}\d){6}/;

/**
 * An address with `@` and dots, or with bracketed words for them, also wrapped after a hyphen. Its
 * last label starts with a letter.
 */
const EMAIL: ContactShape = {
  signs: [/@|[[({<«“"'|*#_-]\s?(?:at|arobase?|a)\s?[\])}>»”"'|*#_-]/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:@|\s{0,3}[[({<]\s?(?:at|arobase?|a|@)\s?[\])}>]\s{0,3}|\s{0,3}[«“"'|*#]\s?(?:at|arobase)\s?[»”"'|*#]\s{0,3}|\s-\s?at\s?-\s|_at_)(?:[\p{L}\p{N}-]{1,63}(?:\.|(?<=-)[ \t]?\n[ \t]?|\s{0,3}[[({<]\s?(?:dot|point|\.)\s?[\])}>]\s{0,3}|\sdot\s|\s-\s?dot\s?-\s|_dot_)){1,8}\p{L}[\p{L}\p{N}-]{1,62}/giu,
  isOther: isEmployer,
};

/** A truncated address: given name and surname at a host without a top-level domain. */
const CUT_EMAIL: ContactShape = {
  signs: [/@/],
  pattern:
    /(?<![\p{L}\p{N}._%+'-])\p{L}[\p{L}\p{N}'-]{0,40}[._]\p{L}[\p{L}\p{N}._'-]{1,60}@\p{L}[\p{L}\p{N}-]{1,62}/giu,
};

/** An address with a word instead of `@`, after a label such as "e-mail:". */
const LABELLED_EMAIL: ContactShape = {
  signs: [/mail|courriel/i, /\s(?:at|à)\s/i],
  pattern:
    /(?<!\p{L})(?:e-?mail|courriel|mailto)s?(?:\s(?:address|adresse))?\s?:\s{0,3}[\p{L}\p{N}._%+'-]{1,64}\s(?:at|à)\s(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,20}/giu,
};

/**
 * An obfuscated address, with spaces around `@` or words for `@` and dots. The top-level domain
 * must be a common one, because sentences also contain "@" and "dot".
 */
const SPACED_EMAIL: ContactShape = {
  signs: [/@\s|@[\p{L}\p{N}-]{1,63}\.?\s|\s(?:at|arobase)\s/iu, /@|\sdot\s|[[({<]\s?dot\s?[\])}>]|\sarobase\s/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:\s{0,3}@\s{0,3}(?:(?:[\p{L}\p{N}-]{1,63}(?:\.|\s\.\s?|\.\s(?=(?:ca|com|org|net|gov|edu)(?![\p{L}\p{N}]))|\sdot\s)){1,8}(?:com|org|net|gov|edu|mil|int|info|biz|example|app|dev|tech|xyz|online|quebec|(?!an|as|at|am|be|by|de|do|et|go|he|hi|if|in|is|it|la|le|me|my|no|of|ok|on|or|sa|so|to|un|up|we)[a-z]{2})|(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?!an|he|hi|if|of|ok|on|or|up|we)[a-z]{2})|\sat\s(?:[\p{L}\p{N}-]{1,63}(?:\sdot\s|\s{0,3}[[({<]\s?dot\s?[\])}>]\s{0,3})){1,8}(?:com|org|net|gov|edu|mil|int|info|biz|example|app|dev|tech|xyz|online|quebec|[a-z]{2})|\sarobase\s(?:[\p{L}\p{N}-]{1,63}(?:\.|\s(?:point|dot)\s)){1,8}[a-z]{2,10})(?![\p{L}\p{N}-])/giu,
  isOther: isEmployer,
};

/**
 * A number of the North American Numbering Plan, with optional country code and extension. Groups
 * with only spaces or slashes between them must have valid first digits.
 */
const NORTH_AMERICAN: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<![\d_]|\d[.-]|(?<!\p{L}\p{Ll})\p{L})(?:\+?1[ \t.\u00b7-]{0,3})?(?:\(\d{3}\)[\s\u00b7-]{0,3}\d{3}[ \t.\u00b7-]{0,3}|[[(]?[2-9]\d{2}[)\]][\s./,\u00b7-]{0,3}[2-9]\d{2}[ \t.\u00b7-]{1,3}|\d{3}[.\u00b7-]\d{3}(?:[ \t]?[-\u00b7][ \t]?|[ \t.])|[2-9]\d{2}(?:[ \t./\u00b7-]{1,3}|-\s{1,3})[2-9]\d{2}(?:[ \t]?[./\u00b7-][ \t]?|-\s{1,3}|[ \t]{1,2}))\d{4}(?:[ \t]{0,2}[,;(]?[ \t]{0,2}(?:[Ee]xt(?:ension)?|EXT(?:ENSION)?|[Xx]|[Pp]oste|POSTE|[Ll]oc(?:al)?|LOCAL|#)[.:]{0,2}[ \t]?#?\d{1,8}(?!\w)|(?!-?\d|_|-\p{L}|(?!\p{L}\p{Ll}{2}|FAX|TEL|E-?MAIL|CELL|PHONE)\p{L}))/gu,
  isOther: isNumberOfThing,
};

const INTERNATIONAL: ContactShape = {
  signs: [/\+\d/],
  pattern: /\+(?=[1-9](?:[ \t().\u00b7-]{0,3}\d){7,14}(?!\d))\d{1,3}(?:[ \t().\u00b7-]{0,3}\d{1,5}){1,6}(?!\d)/gu,
  isOther: isNumberOrPosition,
};

/** 7 to 15 digits after a word that announces a telephone number. */
const ANNOUNCED: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<!\p{L})(?:(?:telephone|téléphone|phone|tel|tél|ph(?=[.:])|fax|telefax|facsimile|télécopieur|télécopie|téléc|telec|cell(?:phone)?|cellular|cellulaire|mobile|whatsapp|sms|callto|tty|tdd|dsn|pager|hotline|helpline|toll[ -]free|sans frais)s?(?:\s?[/&]\s?|\s(?:or|and|et|ou)\s)?(?:text|fax|sms)?(?:_number|\s?(?:number|numéro|nos?|#))?|call(?:ing)?(?:\s(?:us|at))*|appelez(?:\s(?:le|au))*)(?:\s?\([\p{L} ]{1,20}\))?[\s.:#=]{0,3}(?:-\s|is:?\s|at\s|au\s)?\s?(?=(?:[ \t()./\u00b7-]{0,3}\d){7,15}(?!\d))\(?\d(?:[ \t()./\u00b7-]{0,3}\d){6,14}(?!\d)(?:[ \t]{0,2}[,;(]?[ \t]{0,2}(?:ext(?:ension)?|x|poste|loc(?:al)?|#)[.:]{0,2}[ \t]?#?\d{1,8}(?!\w))?/giu,
  isOther: isNumberOfThing,
};

/** Ten digits without separators, after a label that other numbers may have too. */
const LABELLED: ContactShape = {
  signs: [/\d{10}/],
  pattern:
    /(?<![\p{L}\p{N}])(?:[tcmpodwhfb][.:]|(?:off|office|main|bus|business|direct|direct line|work|home|day|evening|voice|numéro)\s?[.:]|(?:contact|dial|text|reach (?:me|us|him|her|them) (?:at|on)|wa\.me\/))[\s.:]{0,3}\+?(?:1[ .-]?)?[2-9]\d{2}[2-9]\d{6}(?!\d)/giu,
  isOther: isNumberOfThing,
};

const ADDRESS_SHAPES: readonly ContactShape[] = [EMAIL, CUT_EMAIL, LABELLED_EMAIL, SPACED_EMAIL];
export const CONTACT_SHAPES: readonly ContactShape[] = [
  ...ADDRESS_SHAPES,
  NORTH_AMERICAN,
  INTERNATIONAL,
  ANNOUNCED,
  LABELLED,
];

export function isAddress(detail: string): boolean {
  const { text } = foldText(detail);
  return [text, shownText(text)?.text ?? ''].some((one) =>
    ADDRESS_SHAPES.some(({ pattern }) => one.search(pattern) >= 0),
  );
}
