import { create } from '@bufbuild/protobuf';
import { type FactCondition, FactConditionSchema, type Term, TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { lexemesOf } from '../facts/condition-codes.ts';
import { type Designator, findDesignators } from '../facts/designators.ts';
import { GREATEST_AMOUNT } from '../facts/fact-codes.ts';
import { codeOf, type Family, membersInQuery, membersOf } from '../facts/families.ts';
import type { AmountMention } from './amounts.ts';
import type { Token } from './tokens.ts';
import { FACT_WEIGHT } from './weights.ts';

export interface FactFindings {
  readonly conditions: readonly FactCondition[];
  readonly terms: readonly Term[];
  readonly letters: ReadonlySet<number>;
}

const WORDS = 48;
const LATER: ReadonlySet<string> = new Set(['later', 'above', 'beyond', 'onward', 'onwards', 'up', 'higher']);

export function findFacts(
  amounts: readonly AmountMention[],
  foundings: readonly FactCondition[],
  tokens: readonly Token[],
  taken: ReadonlySet<number>,
): FactFindings {
  const free = tokens.filter(({ index }) => !taken.has(index));
  const designators = findDesignators(free);
  const conditions = [...amounts.map(amountCondition), ...foundings, ...familyConditions(free, designators)];
  const ofConditions = conditions.map((condition) => termOf(condition.text, lexemesOf(condition, WORDS)));
  const searched = new Set(ofConditions.flatMap(({ words }) => words));
  const others = designators.filter(({ word }) => !searched.has(word));
  return {
    conditions,
    terms: [
      ...ofConditions.filter(({ words }) => words.length > 0),
      ...others.map(({ word, at }) => termOf(`${free[at]?.text} ${free[at + 1]?.text}`, [word])),
    ],
    letters: new Set(designators.flatMap(({ at }) => free[at + 1]?.index ?? [])),
  };
}

function termOf(text: string, words: readonly string[]): Term {
  return create(TermSchema, { words: [...words], weight: FACT_WEIGHT, text });
}

function amountCondition({ text, measure, least, most, strict }: AmountMention): FactCondition {
  return create(FactConditionSchema, {
    text,
    fact: measure,
    strict,
    /* Bounds numbers of hundreds of digits, which a plan must not contain. */
    ...(least !== undefined && { least: Math.min(least, GREATEST_AMOUNT) }),
    ...(most !== undefined && { most: Math.min(most, GREATEST_AMOUNT) }),
  });
}

/** Returns one condition per family. Any of its members meets it. */
function familyConditions(tokens: readonly Token[], designators: readonly Designator[]): FactCondition[] {
  const words = tokens.map(({ word }) => word);
  const rounds = designators
    .filter(({ word }) => codeOf('round', word) !== undefined)
    .flatMap(({ word, at }) => ({ family: 'round' as const, members: roundsFrom(word, words, at + 2), at, length: 2 }));
  const said = membersInQuery(words).map(({ member, ...mention }) => ({ ...mention, members: [member] }));
  const byFamily = Map.groupBy([...rounds, ...said], ({ family }) => family);
  return [...byFamily].map(([family, mentions]: readonly [Family, typeof said]) => {
    const texts = mentions.map(({ at, length }) =>
      tokens
        .slice(at, at + length)
        .map(({ text }) => text)
        .join(' '),
    );
    const members = [...new Set(mentions.flatMap((mention) => mention.members))];
    return create(FactConditionSchema, { text: texts.join(', '), fact: family, members });
  });
}

function roundsFrom(first: string, words: readonly string[], behind: number): string[] {
  const all = membersOf('round').filter((member) => member.startsWith('series'));
  const [joint = '', next = ''] = [words[behind], words[behind + 1]];
  if (!['or', 'and', 'to'].includes(joint)) return [first];
  if (LATER.has(next)) return all.slice(all.indexOf(first));
  const last = all.indexOf(`series${next}`);
  if (last < 0) return [first];
  return joint === 'to' ? all.slice(all.indexOf(first), last + 1) : [first, `series${next}`];
}
