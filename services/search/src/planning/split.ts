import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { KindMention } from './kinds.ts';
import type { Token } from './tokens.ts';

export interface Split {
  readonly describesCompany: (index: number) => boolean;
}

const CLAUSE_WORDS: ReadonlySet<string> = new Set(['that', 'who', 'which', 'whose']);
const ACTOR_PREPOSITIONS: ReadonlySet<string> = new Set(['at', 'by']);
/** Introduce the company of an event: "rounds of startups", "agreements among airlines". */
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

/**
 * "agreements signed by software companies" describes the company after the preposition, "banks
 * hiring analysts" before the verb. Undefined if the query does not distinguish, as with a
 * facility. `content` marks words with meaning of their own.
 */
export function splitQuery(
  tokens: readonly Token[],
  kinds: readonly KindMention[],
  content: (index: number) => boolean,
): Split | undefined {
  const first = kinds.find(({ kind }) => kind !== Kind.FACILITY_EXPANSION);
  if (!first) return undefined;
  const { begin, end } = sentenceAround(tokens, first.start);
  const inSentence = (index: number) => index >= begin && index < end;
  const own = kinds.filter(({ start }) => inSentence(start));
  const find = (isIt: (word: string, at: number) => boolean) =>
    tokens.findIndex(({ word }, at) => inSentence(at) && isIt(word, at));
  const some = (from: number, to: number) => tokens.some((_, at) => at >= from && at < to && content(at));
  const owner = own.find(
    ({ kind, start, length }) =>
      EVENTS_OF_COMPANIES.has(kind) && OWNER_PREPOSITIONS.has(tokens[start + length]?.word ?? ''),
  );
  const actor = owner
    ? owner.start + owner.length
    : find((word, at) => at > first.start && ACTOR_PREPOSITIONS.has(word));
  if (actor >= 0 && some(actor + 1, end)) return { describesCompany: (index) => index > actor && index < end };
  const isVerb = own.find(({ start, length }) =>
    tokens.slice(start, start + length).some(({ word }) => VERBS.has(word)),
  );
  const clause = find((word) => CLAUSE_WORDS.has(word));
  const verb = clause >= 0 ? clause : isVerb?.start;
  if (verb === undefined) return undefined;
  /* Skips an opening clause: "An investor asks: which firms that ..." */
  const from = Math.max(begin, tokens.findLastIndex((token, at) => at < verb && token.endsClause) + 1);
  return some(from, verb) ? { describesCompany: (index) => index >= from && index < verb } : undefined;
}

function sentenceAround(tokens: readonly Token[], at: number): { readonly begin: number; readonly end: number } {
  const last = tokens.findIndex((token, index) => index >= at && token.endsSentence);
  return {
    begin: tokens.findLastIndex((token, index) => index < at && token.endsSentence) + 1,
    end: last < 0 ? tokens.length : last + 1,
  };
}
