import { normalText } from '@ces/proto/normal-text';
import type { ResolutionVocabulary } from './vocabulary.ts';

export interface LegalName {
  /** Excludes case, accents, marks and legal forms. Empty only without a letter or digit. */
  readonly words: readonly string[];
  /** Forms at the end of the name, which distinguish companies. */
  readonly forms: ReadonlySet<string>;
  readonly isFull: boolean;
}

/** Increase it whenever a key changes: the service then rebuilds stored keys. */
export const NAME_KEY_VERSION = 2;

const MAX_FORM_WORDS = 5;

/** `Les Aliments Érable Ltée` and `ALIMENTS ERABLE LTD.` are equal. */
export function legalName(vocabulary: ResolutionVocabulary, name: string): LegalName {
  const words = wordsOf(name).map((word) => vocabulary.spellings.get(word) ?? word);
  const forms = new Set<string>();
  const written = words.length;
  for (let form = formAtEnd(vocabulary, words); form; form = formAtEnd(vocabulary, words)) {
    words.splice(words.length - form.length);
    if (form.name !== undefined) forms.add(form.name);
  }
  if (words.length < written && words.length > 1 && words.at(-1) === 'and') words.pop();
  const significant = words.filter((word) => !ARTICLES.has(word));
  return { words: significant.length > 0 ? significant : words, forms, isFull: words.length < written };
}

/** Compares within a country. Empty if several companies have the name. */
export function nameKey(vocabulary: ResolutionVocabulary, { words }: LegalName): string {
  const key = words.join(' ');
  return isCommon(vocabulary, words, key) ? '' : key;
}

export function keyOfName(vocabulary: ResolutionVocabulary, name: string): string {
  return nameKey(vocabulary, legalName(vocabulary, name));
}

const ARTICLES: ReadonlySet<string> = new Set(['the', 'le', 'la', 'les', 'l']);
/** A shorter single word identifies no company. */
const MIN_SINGLE_WORD = 5;
/** This many common words do: `Public Service Enterprise Group`. */
const MANY_WORDS = 4;
const LINKING: ReadonlySet<string> = new Set(['and', 'of', 'for', 'in']);
const MAX_KEY_LENGTH = 400;

function wordsOf(name: string): string[] {
  const plain = normalText(stateless(name), 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’'`]/g, '')
    .replace(/&/g, ' and ')
    .replace(/\b((?:\p{L}\.){2,}\p{L}?)(?=[^\p{L}\p{N}]|$)/gu, (initials) => initials.replaceAll('.', ''));
  return inverted(plain).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const STATE_AT_END = /(?:\s\/[A-Z]{2,4}\/?|\s?\/[A-Z]{2,14}\/|(?<=\b(?:inc|corp|ltd|llc)\.?)\/[A-Z]{2,3})$/i;
const LONGEST_STATE = 'CORP. /ABCDEFGHIJKLMN/'.length;

/** State of incorporation or another mark: `EXAMPLE CORP /DE/`, `CORP/CA`, `/NEW/`. */
function stateless(name: string): string {
  let rest = name;
  for (;;) {
    const end = rest.trimEnd();
    const state = STATE_AT_END.exec(end.slice(-LONGEST_STATE))?.[0];
    if (state === undefined) return rest;
    rest = end.slice(0, -state.length).trimEnd();
  }
}

function inverted(name: string): string {
  const [, what, body] =
    /^(.+), ((?:department|dept\.?|ministry|office|bureau|university) of(?: the)?)$/.exec(name) ?? [];
  return what === undefined ? name : `${body} ${what}`;
}

function formAtEnd(
  { legalForms }: ResolutionVocabulary,
  words: readonly string[],
): { readonly length: number; readonly name: string | undefined } | undefined {
  for (let length = Math.min(MAX_FORM_WORDS, words.length - 1); length > 0; length -= 1) {
    const spelling = words.slice(-length).join(' ');
    if (legalForms.has(spelling)) return { length, name: legalForms.get(spelling) };
  }
  return undefined;
}

function isCommon(vocabulary: ResolutionVocabulary, words: readonly string[], key: string): boolean {
  if (key.length > MAX_KEY_LENGTH) return true;
  if (vocabulary.publicBodies.has(key)) return false;
  const [first = '', ...others] = words;
  if (others.length === 0 && (first.length < MIN_SINGLE_WORD || /^\d+$/.test(first))) return true;
  return (
    vocabulary.commonNames.has(key) ||
    (words.filter((word) => !LINKING.has(word)).length < MANY_WORDS &&
      words.every((word) => vocabulary.commonWords.has(word))) ||
    vocabulary.commonBeginnings.some((beginning) => key.startsWith(`${beginning} `)) ||
    vocabulary.commonEnds.some((end) => key === end || key.endsWith(` ${end}`))
  );
}
