import { normalText } from './normal-text.ts';

/**
 * An HTML character reference, also escaped again (`&amp;#64;`), or an escape of links and scripts
 * (`%40`, `\u0040`).
 */
export const REFERENCE =
  /&(?:amp;){0,3}(?:#(?:\d{1,40}|x[\da-f]{1,40});?|(?:nbsp|shy);?|[a-z][\da-z]{1,20};)|%(?:25){0,3}[2-7][\da-f]|\\(?:u00|x)[2-7][\da-f]/gi;

const NAME = /^&(?:amp;){0,3}([\da-z]{1,21});?$/i;
const ESCAPED = /^(?:%(?:25){0,3}|\\(?:u00|x))([2-7][\da-f])$/i;
const DIGITS = /#(x?)([\da-f]+)/i;
const LAST_CODE_POINT = 0x10_ffff;

const NAMED: ReadonlyMap<string, string> = new Map([
  ...named('@', 'commat'),
  ...named('.', 'period'),
  ...named('-', 'hyphen dash ndash mdash horbar minus'),
  ...named('\u00b7', 'middot centerdot bull bullet sdot'),
  ...named('(', 'lpar'),
  ...named(')', 'rpar'),
  ...named('[', 'lsqb lbrack'),
  ...named(']', 'rsqb rbrack'),
  ...named('{', 'lcub lbrace'),
  ...named('}', 'rcub rbrace'),
  ...named('<', 'lt'),
  ...named('>', 'gt'),
  ...named('+', 'plus'),
  ...named('/', 'sol'),
  ...named('_', 'lowbar underbar'),
  ...named('%', 'percnt'),
  ...named('#', 'num'),
  ...named(':', 'colon'),
  ...named(';', 'semi'),
  ...named(',', 'comma'),
  ...named('&', 'amp'),
  ...named("'", 'apos'),
  ...named('\u2019', 'rsquo'),
  ...named(' ', 'nbsp nonbreakingspace ensp emsp emsp13 emsp14 numsp puncsp thinsp thickspace mediumspace hairsp tab'),
  ...named('\n', 'newline'),
  ...named('', 'shy zwj zwnj lrm rlm nobreak zerowidthspace negativethinspace invisiblecomma ic invisibletimes it af'),
  ...named('ß', 'szlig'),
]);
const MARKS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
]);

/** The character of a reference, if addresses or numbers can contain it; otherwise undefined. */
export function characterOf(reference: string): string | undefined {
  const escaped = ESCAPED.exec(reference)?.[1];
  if (escaped) return String.fromCharCode(Number.parseInt(escaped, 16));
  const digits = DIGITS.exec(reference);
  if (digits) {
    const code = Number.parseInt(digits[2] ?? '', digits[1] ? 16 : 10);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : undefined;
  }
  const name = NAME.exec(reference)?.[1] ?? '';
  const mark = MARKS.get(name.slice(1).toLowerCase());
  return mark ? normalText(name.charAt(0) + mark, 'NFC') : NAMED.get(name.toLowerCase());
}

function named(character: string, names: string): (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, character]);
}
