import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { KindMention } from './kinds.ts';

/** Which words describe the company and which its activity. */
export interface Split {
  readonly describesCompany: (index: number) => boolean;
}

const CLAUSE_WORDS: ReadonlySet<string> = new Set(['that', 'who', 'which', 'whose']);
const ACTOR_PREPOSITIONS: ReadonlySet<string> = new Set(['at', 'by']);
/** Right behind a kind that is an event of a company itself: "rounds of startups", "agreements among airlines". */
const OWNER_PREPOSITIONS: ReadonlySet<string> = new Set(['of', 'among', 'within', 'across']);
const EVENTS_OF_COMPANIES: ReadonlySet<Kind> = new Set([
  Kind.FUNDING_ROUND,
  Kind.LEADERSHIP_CHANGE,
  Kind.PARTNERSHIP,
  Kind.PRODUCT_LAUNCH,
]);
const VERBS: ReadonlySet<string> = new Set(
  (
    'hiring hires hire recruiting recruits recruit looking seeking wanting raised raising raises funded using uses use ' +
    'adopted adopting built build powered running writing writes write programming coding developing applying deploying ' +
    'working work building opened launched launching releasing released signed partnered partnering appointed changing'
  ).split(' '),
);

/** Verbs beside a site alone: "opening a warehouse" is an activity, "job opening" is not one of the company's. */
const SITE_VERBS: ReadonlySet<string> = new Set(
  'opening opens open build builds constructing constructs broke breaking breaks expanding expands expanded expand'.split(
    ' ',
  ),
);

/**
 * Splits a query that names a kind: "agreements signed by software companies" describes the company behind the
 * preposition, "banks hiring analysts" before the verb; undefined where the query does not distinguish. `content` tells
 * which words carry meaning of their own.
 */
export function splitQuery(
  words: readonly string[],
  kinds: readonly KindMention[],
  content: (index: number) => boolean,
): Split | undefined {
  const first = kinds.find(({ kind }) => kind !== Kind.FACILITY_EXPANSION);
  if (!first) return undefined;
  const some = (from: number, to: number) => words.some((_, at) => at >= from && at < to && content(at));
  const owner = kinds.find(
    ({ kind, start, length }) => EVENTS_OF_COMPANIES.has(kind) && OWNER_PREPOSITIONS.has(words[start + length] ?? ''),
  );
  const actor = owner
    ? owner.start + owner.length
    : words.findIndex((word, at) => at > first.start && ACTOR_PREPOSITIONS.has(word));
  if (actor >= 0 && some(actor + 1, words.length)) return { describesCompany: (index) => index > actor };
  const isVerb = kinds.find(({ kind, start, length }) =>
    words
      .slice(start, start + length)
      .some((word) => VERBS.has(word) || (kind === Kind.FACILITY_EXPANSION && SITE_VERBS.has(word))),
  );
  const clause = words.findIndex((word) => CLAUSE_WORDS.has(word));
  const verb = clause >= 0 ? clause : isVerb?.start;
  if (verb !== undefined && some(0, verb)) return { describesCompany: (index) => index < verb };
  return undefined;
}
