import { foldText } from './folded-text.ts';
import { isEmployer, isNumberOfThing, isNumberOrPosition } from './other-shapes.ts';
import { shownText } from './shown-text.ts';

/** A shape of contact in folded text, and cheap signs without each of which a text holds none. */
export interface ContactShape {
  readonly signs: readonly RegExp[];
  readonly pattern: RegExp;
  /** Whether a match is something else that has the shape; `before` are the characters that stand before it, `MOST_BEFORE` at most. */
  readonly isOther?: (match: string, before: string) => boolean;
}

/** In UTF-16 units. */
export const MOST_BEFORE = 40;

const SEVEN_DIGITS = /\d(?:[\s()./\u00b7-]{0,3}\d){6}/;

/** An address as programs read it, its `@` and points between signs or not, and over the end of a line at a hyphen. Its last part is a name. */
const EMAIL: ContactShape = {
  signs: [/@|[[({<«“"'|*#_-]\s?(?:at|arobase?|a)\s?[\])}>»”"'|*#_-]/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:@|\s{0,3}[[({<]\s?(?:at|arobase?|a|@)\s?[\])}>]\s{0,3}|\s{0,3}[«“"'|*#]\s?(?:at|arobase)\s?[»”"'|*#]\s{0,3}|\s-\s?at\s?-\s|_at_)(?:[\p{L}\p{N}-]{1,63}(?:\.|(?<=-)[ \t]?\n[ \t]?|\s{0,3}[[({<]\s?(?:dot|point|\.)\s?[\])}>]\s{0,3}|\sdot\s|\s-\s?dot\s?-\s|_dot_)){1,8}\p{L}[\p{L}\p{N}-]{1,62}/giu,
  isOther: isEmployer,
};

/** The beginning of an address whose end is lost: a given name and a surname at a host. */
const CUT_EMAIL: ContactShape = {
  signs: [/@/],
  pattern:
    /(?<![\p{L}\p{N}._%+'-])\p{L}[\p{L}\p{N}'-]{0,40}[._]\p{L}[\p{L}\p{N}._'-]{1,60}@\p{L}[\p{L}\p{N}-]{1,62}/giu,
};

/** An address with a word for its `@`, after a label that says it is one. */
const LABELLED_EMAIL: ContactShape = {
  signs: [/mail|courriel/i, /\s(?:at|à)\s/i],
  pattern:
    /(?<!\p{L})(?:e-?mail|courriel|mailto)s?(?:\s(?:address|adresse))?\s?:\s{0,3}[\p{L}\p{N}._%+'-]{1,64}\s(?:at|à)\s(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,20}/giu,
};

/**
 * An address as people hide it from programs, with blanks about its `@` or with words for it and the points. Its end is one
 * that addresses have, and no word where blanks stand before it, since an `@` between blanks and a "dot" are words of sentences too.
 */
const SPACED_EMAIL: ContactShape = {
  signs: [/@\s|@[\p{L}\p{N}-]{1,63}\.?\s|\s(?:at|arobase)\s/iu, /@|\sdot\s|[[({<]\s?dot\s?[\])}>]|\sarobase\s/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:\s{0,3}@\s{0,3}(?:(?:[\p{L}\p{N}-]{1,63}(?:\.|\s\.\s?|\.\s(?=(?:ca|com|org|net|gov|edu)(?![\p{L}\p{N}]))|\sdot\s)){1,8}(?:com|org|net|gov|edu|mil|int|info|biz|example|app|dev|tech|xyz|online|quebec|(?!an|as|at|am|be|by|de|do|et|go|he|hi|if|in|is|it|la|le|me|my|no|of|ok|on|or|sa|so|to|un|up|we)[a-z]{2})|(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?!an|he|hi|if|of|ok|on|or|up|we)[a-z]{2})|\sat\s(?:[\p{L}\p{N}-]{1,63}(?:\sdot\s|\s{0,3}[[({<]\s?dot\s?[\])}>]\s{0,3})){1,8}(?:com|org|net|gov|edu|mil|int|info|biz|example|app|dev|tech|xyz|online|quebec|[a-z]{2})|\sarobase\s(?:[\p{L}\p{N}-]{1,63}(?:\.|\s(?:point|dot)\s)){1,8}[a-z]{2,10})(?![\p{L}\p{N}-])/giu,
  isOther: isEmployer,
};

/** Three, three and four digits, as North America writes them, with country code and extension; where blanks or strokes alone part them, digits that such numbers have. */
const NORTH_AMERICAN: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<![\d_]|\d[.-]|(?<!\p{L}\p{Ll})\p{L})(?:\+?1[ \t.\u00b7-]{0,3})?(?:\(\d{3}\)[\s\u00b7-]{0,3}\d{3}[ \t.\u00b7-]{0,3}|[[(]?[2-9]\d{2}[)\]][\s./,\u00b7-]{0,3}[2-9]\d{2}[ \t.\u00b7-]{1,3}|\d{3}[.\u00b7-]\d{3}(?:[ \t]?[-\u00b7][ \t]?|[ \t.])|[2-9]\d{2}(?:[ \t./\u00b7-]{1,3}|-\s{1,3})[2-9]\d{2}(?:[ \t]?[./\u00b7-][ \t]?|-\s{1,3}|[ \t]{1,2}))\d{4}(?:[ \t]{0,2}[,;(]?[ \t]{0,2}(?:[Ee]xt(?:ension)?|EXT(?:ENSION)?|[Xx]|[Pp]oste|POSTE|[Ll]oc(?:al)?|LOCAL|#)[.:]{0,2}[ \t]?#?\d{1,8}(?!\w)|(?!-?\d|_|-\p{L}|(?!\p{L}\p{Ll}{2}|FAX|TEL|E-?MAIL|CELL|PHONE)\p{L}))/gu,
  isOther: isNumberOfThing,
};

/** A plus sign, a country code and 8 to 15 digits in groups. */
const INTERNATIONAL: ContactShape = {
  signs: [/\+\d/],
  pattern: /\+(?=[1-9](?:[ \t().\u00b7-]{0,3}\d){7,14}(?!\d))\d{1,3}(?:[ \t().\u00b7-]{0,3}\d{1,5}){1,6}(?!\d)/gu,
  isOther: isNumberOrPosition,
};

/** Any 7 to 15 digits after a word that announces a telephone number. */
const ANNOUNCED: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<!\p{L})(?:(?:telephone|téléphone|phone|tel|tél|ph(?=[.:])|fax|telefax|facsimile|télécopieur|télécopie|téléc|telec|cell(?:phone)?|cellular|cellulaire|mobile|whatsapp|sms|callto|tty|tdd|dsn|pager|hotline|helpline|toll[ -]free|sans frais)s?(?:\s?[/&]\s?|\s(?:or|and|et|ou)\s)?(?:text|fax|sms)?(?:_number|\s?(?:number|numéro|nos?|#))?|call(?:ing)?(?:\s(?:us|at))*|appelez(?:\s(?:le|au))*)(?:\s?\([\p{L} ]{1,20}\))?[\s.:#=]{0,3}(?:-\s|is:?\s|at\s|au\s)?\s?(?=(?:[ \t()./\u00b7-]{0,3}\d){7,15}(?!\d))\(?\d(?:[ \t()./\u00b7-]{0,3}\d){6,14}(?!\d)(?:[ \t]{0,2}[,;(]?[ \t]{0,2}(?:ext(?:ension)?|x|poste|loc(?:al)?|#)[.:]{0,2}[ \t]?#?\d{1,8}(?!\w))?/giu,
  isOther: isNumberOfThing,
};

/** Ten digits in one behind a label or a word that numbers of other things have too. */
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

/** Whether what was found is an address, as it stands or as HTML shows it. */
export function isAddress(detail: string): boolean {
  const { text } = foldText(detail);
  return [text, shownText(text)?.text ?? ''].some((one) =>
    ADDRESS_SHAPES.some(({ pattern }) => one.search(pattern) >= 0),
  );
}
