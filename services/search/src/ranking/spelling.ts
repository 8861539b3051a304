import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { lexemeOfWord } from '../text/stem.ts';
import { wordsOf } from '../text/words.ts';
import type { TermStatistics } from './term-statistics.ts';

export interface SpellingCandidate {
  readonly written: string;
  readonly lexeme: string;
  readonly observations: number;
  readonly descriptions: number;
}

const MIN_FREQUENCY = 5;
/** At most this many words are checked: each has hundreds of spellings. */
const MAX_CHECKED_WORDS = 3;
/** Shorter words have too many neighbours; longer ones are rarely words. */
const CHECKED_WORD = /^[a-z]{5,20}$/;
/** With shorter stems, words with different endings are hard to distinguish. */
const LONG_STEM = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CANDIDATE_WEIGHT = 0.4;

/** Skips quoted words and words with digits. */
export function findMisspellings({ activity, description, phrases }: Plan, { words }: TermStatistics): string[] {
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
  const misspellings = written.filter((word) => CHECKED_WORD.test(word) && isUnknown(word) && !quoted.has(word));
  return [...new Set(misspellings)].slice(0, MAX_CHECKED_WORDS);
}

/** Endings are rarely misspelt, and a short stem has many neighbours: "nothing", "northing". */
function isShortForm(word: string, lexeme: string): boolean {
  return word.length - lexeme.length >= 2 && lexeme.length < LONG_STEM;
}

/** Damerau–Levenshtein distance 1, keeping the first letter. */
export function spellingsAtDistanceOne(word: string): string[] {
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

/** Lexemes one letter away from each word. */
export function lexemesNear(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    words.map((word) => [word, [...new Set(spellingsAtDistanceOne(word).flatMap((near) => lexemeOfWord(near) ?? []))]]),
  );
}

/** The lexeme of most documents near each word, if any is frequent enough. */
export function bestCandidates(
  near: ReadonlyMap<string, readonly string[]>,
  documentsWith: (lexeme: string) => Pick<SpellingCandidate, 'observations' | 'descriptions'> | undefined,
): SpellingCandidate[] {
  const countOf = ({ observations, descriptions }: SpellingCandidate) => observations + descriptions;
  return [...near].flatMap(([written, lexemes]) => {
    const known = lexemes.map((lexeme) => ({
      written,
      lexeme,
      observations: 0,
      descriptions: 0,
      ...documentsWith(lexeme),
    }));
    const [best] = known
      .filter((candidate) => countOf(candidate) >= MIN_FREQUENCY)
      .toSorted((a, b) => countOf(b) - countOf(a) || (a.lexeme < b.lexeme ? -1 : 1));
    return best ?? [];
  });
}

export function withSpellingCandidates(
  plan: Plan,
  statistics: TermStatistics,
  candidates: readonly SpellingCandidate[],
): { readonly plan: Plan; readonly statistics: TermStatistics } {
  const lexemes = new Map(candidates.map(({ written, lexeme }) => [written, lexeme]));
  const beside = (terms: Plan['activity']) =>
    terms.map((term) => {
      const lexeme = lexemes.get(term.words[0] ?? '');
      return lexeme === undefined
        ? term
        : {
            ...term,
            related: [...term.related, { words: [lexeme], weight: CANDIDATE_WEIGHT } as (typeof term.related)[number]],
          };
    });
  const known = candidates.map(({ lexeme, observations, descriptions }) => {
    return [lexeme, { lexeme, observations, descriptions }] as const;
  });
  return {
    plan: { ...plan, activity: beside(plan.activity), description: beside(plan.description) },
    statistics: { ...statistics, words: new Map([...statistics.words, ...known]) },
  };
}
