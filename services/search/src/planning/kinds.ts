import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { KindPhrase, Vocabulary } from '../vocabulary/load-vocabulary.ts';

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
 * is asked; a technology without a kind asks for its use.
 */
export function findKinds(words: readonly string[], taken: ReadonlySet<number>, vocabulary: Vocabulary): KindFindings {
  const technologies = technologiesIn(words, vocabulary);
  const namesTechnology = technologies.size > 0;
  const mentions: KindMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const match = taken.has(at) ? undefined : vocabulary.kinds.longestAt(words, at);
    if (!match) continue;
    if (match.value.besideTechnology && !namesTechnology) continue;
    mentions.push({ ...match.value, start: at, length: match.length });
    at += match.length - 1;
  }
  const certain = mentions.filter((mention) => !mention.besideTechnology);
  const named = new Set((certain.length > 0 ? certain : mentions).map((mention) => mention.kind));
  if (certain.length === 0 && offersWork(words)) named.add(Kind.JOB_POSTING);
  if (named.size === 0 && namesTechnology) named.add(Kind.TECHNOLOGY_USE);
  return { mentions, named, technologies: named.has(Kind.TECHNOLOGY_USE) ? technologies : new Set() };
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
