import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { KindPhrase } from '../vocabulary/kind-phrases.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';

/** A phrase of the query that names a kind. */
export interface KindMention extends KindPhrase {
  readonly start: number;
  readonly length: number;
}

/** The kinds in the words of a query: which phrases name them, and which kinds they ask for. */
export interface KindFindings {
  readonly mentions: readonly KindMention[];
  readonly named: ReadonlySet<Kind>;
  /** Words of technologies whose use is asked for: observations name them, whoever else they describe. */
  readonly technologies: ReadonlySet<number>;
  /** Limitations that say what is asked for and no kind holds. */
  readonly notRecorded: readonly string[];
}

/** How somebody is employed; beside who that is, it asks for an offer of work. */
const TERMS_OF_WORK: ReadonlySet<string> = new Set(
  'remote remotely hybrid onsite fulltime parttime freelance junior entry teletravail'.split(' '),
);
const ROLES: ReadonlySet<string> = new Set(
  (
    'engineer developer programmer analyst designer manager scientist nurse driver technician accountant assistant ' +
    'specialist representative clerk intern architect consultant administrator recruiter writer editor instructor teacher ' +
    'welder electrician mechanic therapist pharmacist role position developpeur ingenieur analyste'
  ).split(' '),
);

/**
 * Finds the kinds named in words, whatever the filters allow, so that a kind more in a filter changes nothing about what
 * is asked; only a profile is named where profiles may be shown alone. A technology without a kind asks for its use.
 */
export function findKinds(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Vocabulary,
  showsProfiles: boolean,
): KindFindings {
  const technologies = technologiesIn(words, vocabulary);
  const all = mentionsAlone(words, taken, vocabulary, showsProfiles) ?? mentionsBeside(words, taken, vocabulary);
  const held = all.filter(({ kind }) => kind !== Kind.UNSPECIFIED);
  const mentions = held.filter(({ names }) => names !== 'besideTechnology' || technologies.size > 0);
  const certain = mentions.filter(({ names }) => names !== 'besideTechnology');
  const named = new Set((certain.length > 0 ? certain : mentions).map((mention) => mention.kind));
  if (certain.length === 0 && offersWork(words)) named.add(Kind.JOB_POSTING);
  if (named.size === 0 && technologies.size > 0) named.add(Kind.TECHNOLOGY_USE);
  return {
    mentions,
    named,
    technologies: named.has(Kind.TECHNOLOGY_USE) ? technologies : new Set(),
    notRecorded: [...new Set(all.flatMap(({ limitation }) => limitation ?? []))],
  };
}

/** The phrases that name kinds where the query says nothing else; undefined where it does. */
function mentionsAlone(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Vocabulary,
  showsProfiles: boolean,
): KindMention[] | undefined {
  const isKnown = ({ kind, names }: KindPhrase) =>
    names !== 'besideTechnology' && (kind !== Kind.COMPANY_PROFILE || showsProfiles);
  const mentions = mentionsOf(words, taken, vocabulary, isKnown);
  const naming = new Set(
    mentions.flatMap(({ start, length }) => Array.from({ length }, (_, offset) => start + offset)),
  );
  const isElse = (word: string, at: number) =>
    !(naming.has(at) || taken.has(at) || vocabulary.stopWords.has(word) || vocabulary.generic.has(word));
  return words.some(isElse) ? undefined : withoutDoubtful(mentions);
}

/** The phrases that name kinds in a query that says something else as well. */
function mentionsBeside(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Vocabulary,
): readonly KindMention[] {
  return withoutDoubtful(mentionsOf(words, taken, vocabulary, ({ names }) => names !== 'alone'));
}

/** The longest of such phrases, one after the other. */
function mentionsOf(
  words: readonly string[],
  taken: ReadonlySet<number>,
  { kinds }: Vocabulary,
  isWanted: (phrase: KindPhrase) => boolean,
): KindMention[] {
  const mentions: KindMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const match = taken.has(at) ? undefined : kinds.longestAt(words, at, isWanted);
    if (!match) continue;
    mentions.push({ ...match.value, start: at, length: match.length });
    at += match.length - 1;
  }
  return mentions;
}

/** Without phrases that name a kind only where no other is named. */
function withoutDoubtful(mentions: readonly KindMention[]): KindMention[] {
  const certain = new Set(mentions.filter(({ names }) => names === 'always').map(({ kind }) => kind));
  const isDoubtful = ({ names }: KindPhrase) => names === 'alone' || names === 'withoutOtherKinds';
  return mentions.filter((mention) => certain.size === 0 || certain.has(mention.kind) || !isDoubtful(mention));
}

function technologiesIn(words: readonly string[], vocabulary: Vocabulary): ReadonlySet<number> {
  return new Set(
    words.flatMap((_, at) => {
      const length = vocabulary.technologies.longestAt(words, at)?.length ?? 0;
      return Array.from({ length }, (__, offset) => at + offset);
    }),
  );
}

/** "remote machine learning engineers": what they work with is no sign that somebody uses it. */
function offersWork(words: readonly string[]): boolean {
  return words.some((word) => TERMS_OF_WORK.has(word)) && words.some((word) => ROLES.has(word.replace(/s$/, '')));
}
