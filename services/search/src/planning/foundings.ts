import { create } from '@bufbuild/protobuf';
import { type FactCondition, FactConditionSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { TimeMention } from './times.ts';
import type { Token } from './tokens.ts';

export interface Foundings {
  readonly conditions: readonly FactCondition[];
  readonly tokens: ReadonlySet<number>;
  readonly times: readonly TimeMention[];
}

const BEGUN: ReadonlySet<string> = new Set(
  'founded established incorporated fonde fondee fondes fondees etabli etablie etablis etablies'.split(' '),
);
/** Events are later. An earlier year can only be a founding year. */
const FIRST_EVENTS = Date.UTC(1900, 0, 1);

/** A query with more years is probably no question about foundings. */
const MOST = 4;

/** "founded before 1900" is a condition only if profiles, which state it, are searched. */
export function findFoundings(
  mentions: readonly TimeMention[],
  tokens: readonly Token[],
  searchesProfiles: boolean,
): Foundings {
  const conditions: FactCondition[] = [];
  const taken = new Set<number>();
  const times: TimeMention[] = [];
  for (const mention of mentions) {
    const isFounding = searchesProfiles && conditions.length < MOST && BEGUN.has(tokens[mention.start - 1]?.word ?? '');
    if (!isFounding) {
      if (Number(mention.since ?? mention.until) >= FIRST_EVENTS) times.push(mention);
      continue;
    }
    const from = mention.start - 1;
    const said = tokens.slice(from, mention.start + mention.length);
    for (const { index } of said) taken.add(index);
    conditions.push(conditionOf(said.map(({ text }) => text).join(' '), mention));
  }
  return { conditions, tokens: taken, times };
}

function conditionOf(text: string, { since, until }: TimeMention): FactCondition {
  return create(FactConditionSchema, {
    text,
    fact: 'founded',
    ...(since && { least: since.getUTCFullYear() }),
    ...(until && { most: new Date(until.getTime() - 1).getUTCFullYear() }),
  });
}
