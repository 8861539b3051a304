import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { wordsOf } from '../text/words.ts';
import type { TermStatistics } from './term-statistics.ts';

/** A word that the record knows and that one written in a query may be meant as. */
export interface NearWord {
  readonly written: string;
  readonly lexeme: string;
  readonly observations: number;
  readonly descriptions: number;
}

/** Documents that must have a word before another one is taken for it. */
export const KNOWN_WELL = 5;
/** Words of a query that are looked at, the first: each costs hundreds of spellings. */
const DOUBTED_WORDS = 3;
/** Shorter words have too many neighbours, longer ones are no words. */
const DOUBTED = /^[a-z]{5,20}$/;
/** Letters before an ending that are enough to tell words apart. */
const LONG_STEM = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** What a near word weighs as something related, before it weighs more than the written one is known. */
const NEAR_WEIGHT = 0.4;

/**
 * Words of a plan that neither the record nor the vocabulary knows and that may be misspelt; never those in quotes, which
 * must stand as they are written, and none with a digit, which is a name or a number. In a record of more documents than
 * `counted` words are counted in a sample: one that nobody counted may be known there, and one near it would bury it.
 */
export function doubtedWords(
  { activity, description, phrases }: Plan,
  { words, observations }: TermStatistics,
  counted: number,
): string[] {
  if (observations.documents > counted) return [];
  const quoted = new Set(phrases.flatMap(wordsOf));
  const written = [...activity, ...description]
    .filter((term) => term.related.length === 0)
    .flatMap((term) => term.words);
  const isUnknown = (word: string) => {
    const known = words.get(word);
    return (
      known !== undefined && known.observations <= 1 && known.descriptions <= 1 && !isShortForm(word, known.lexeme)
    );
  };
  const doubted = written.filter((word) => DOUBTED.test(word) && isUnknown(word) && !quoted.has(word));
  return [...new Set(doubted)].slice(0, DOUBTED_WORDS);
}

/** An ending is hardly misspelt, and the few letters before it are near too much: "nothing" is no "northing". */
function isShortForm(word: string, lexeme: string): boolean {
  return word.length - lexeme.length >= 2 && lexeme.length < LONG_STEM;
}

/** Spellings one letter away from a word: one too many, one too few, another one, two exchanged; the first letter stays. */
export function spellingsNear(word: string): string[] {
  const near = new Set<string>();
  for (let at = 1; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') near.add(before + after.slice(1));
    if (after.length > 1) near.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
    for (const letter of LETTERS) {
      near.add(before + letter + after);
      if (after !== '') near.add(before + letter + after.slice(1));
    }
  }
  near.delete(word);
  return [...near];
}

/** The plan with the near words beside the written ones, and what is known of them. */
export function withNearWords(
  plan: Plan,
  statistics: TermStatistics,
  near: readonly NearWord[],
): { readonly plan: Plan; readonly statistics: TermStatistics } {
  const lexemes = new Map(near.map(({ written, lexeme }) => [written, lexeme]));
  const beside = (terms: Plan['activity']) =>
    terms.map((term) => {
      const lexeme = lexemes.get(term.words[0] ?? '');
      return lexeme === undefined
        ? term
        : {
            ...term,
            related: [...term.related, { words: [lexeme], weight: NEAR_WEIGHT } as (typeof term.related)[number]],
          };
    });
  const known = near.map(({ lexeme, observations, descriptions }) => {
    return [lexeme, { lexeme, observations, descriptions }] as const;
  });
  return {
    plan: { ...plan, activity: beside(plan.activity), description: beside(plan.description) },
    statistics: { ...statistics, words: new Map([...statistics.words, ...known]) },
  };
}
