import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { KindPhrase } from '../vocabulary/kind-phrases.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';

export interface KindMention extends KindPhrase {
  readonly start: number;
  readonly length: number;
}

export interface KindFindings {
  readonly mentions: readonly KindMention[];
  readonly named: ReadonlySet<Kind>;
  readonly notRecorded: readonly string[];
}

/** Next to a role, these terms of employment ask for a job posting. */
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
 * Independent of the filters, so that another kind in a filter does not change the request; only a
 * profile needs a filter that shows profiles. A technology without a kind asks for its use.
 */
export function findKinds(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Vocabulary,
  showsProfiles: boolean,
): KindFindings {
  const namesTechnology = words.some((_, at) => vocabulary.technologies.longestAt(words, at));
  const all = mentionsAlone(words, taken, vocabulary, showsProfiles) ?? mentionsBeside(words, taken, vocabulary);
  const held = all.filter(({ kind }) => kind !== Kind.UNSPECIFIED);
  const mentions = held.filter(({ names }) => names !== 'besideTechnology' || namesTechnology);
  const certain = mentions.filter(({ names }) => names !== 'besideTechnology');
  const named = new Set((certain.length > 0 ? certain : mentions).map((mention) => mention.kind));
  if (certain.length === 0 && offersWork(words)) named.add(Kind.JOB_POSTING);
  if (named.size === 0 && namesTechnology) named.add(Kind.TECHNOLOGY_USE);
  return {
    mentions,
    named,
    notRecorded: [...new Set(all.flatMap(({ limitation }) => limitation ?? []))],
  };
}

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

function mentionsBeside(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Vocabulary,
): readonly KindMention[] {
  return withoutDoubtful(mentionsOf(words, taken, vocabulary, ({ names }) => names !== 'alone'));
}

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

/** Drops phrases that name a kind only if no other kind is named. */
function withoutDoubtful(mentions: readonly KindMention[]): KindMention[] {
  const certain = new Set(mentions.filter(({ names }) => names === 'always').map(({ kind }) => kind));
  const isDoubtful = ({ names }: KindPhrase) => names === 'alone' || names === 'withoutOtherKinds';
  return mentions.filter((mention) => certain.size === 0 || certain.has(mention.kind) || !isDoubtful(mention));
}

/** "remote machine learning engineers": the technology describes the job, not its use. */
function offersWork(words: readonly string[]): boolean {
  return words.some((word) => TERMS_OF_WORK.has(word)) && words.some((word) => ROLES.has(word.replace(/s$/, '')));
}
