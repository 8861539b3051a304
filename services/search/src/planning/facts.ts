import { create } from '@bufbuild/protobuf';
import { type FactCondition, FactConditionSchema, type Term, TermSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { lexemesOf } from '../facts/condition-codes.ts';
import { type Designator, findDesignators } from '../facts/designators.ts';
import { GREATEST_AMOUNT } from '../facts/fact-codes.ts';
import { codeOf, type Family, membersAsked, membersOf } from '../facts/families.ts';
import type { AmountMention } from './amounts.ts';
import type { Token } from './tokens.ts';
import { FACT_WEIGHT } from './weights.ts';

/** Facts that the words of a query ask for, and nouns with their letter ("Series A", "Class C"). */
export interface FactFindings {
  readonly conditions: readonly FactCondition[];
  /** What the conditions and the letters are searched for by. */
  readonly terms: readonly Term[];
  /** Letters, which say nothing without their noun. */
  readonly letters: ReadonlySet<number>;
  /** Nouns of letters, which say less than both together. */
  readonly nouns: ReadonlySet<number>;
}

/** Words by which one condition is searched for at most. */
const WORDS = 48;
const LATER: ReadonlySet<string> = new Set(['later', 'above', 'beyond', 'onward', 'onwards', 'up', 'higher']);

/** Facts in the words of a query beside its amounts and the years in which companies began; `taken` are words that mean something else already. */
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
  const at = (offset: number) => designators.flatMap((one) => free[one.at + offset]?.index ?? []);
  return {
    conditions,
    terms: [
      ...ofConditions.filter(({ words }) => words.length > 0),
      ...others.map(({ word, at }) => termOf(`${free[at]?.text} ${free[at + 1]?.text}`, [word])),
    ],
    letters: new Set(at(1)),
    nouns: new Set(at(0)),
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
    /* Hundreds of digits are no number that a plan may hold. */
    ...(least !== undefined && { least: Math.min(least, GREATEST_AMOUNT) }),
    ...(most !== undefined && { most: Math.min(most, GREATEST_AMOUNT) }),
  });
}

/** One condition a family: of several members any meets it. */
function familyConditions(tokens: readonly Token[], designators: readonly Designator[]): FactCondition[] {
  const words = tokens.map(({ word }) => word);
  const rounds = designators
    .filter(({ word }) => codeOf('round', word) !== undefined)
    .flatMap(({ word, at }) => ({ family: 'round' as const, members: roundsFrom(word, words, at + 2), at, length: 2 }));
  const said = membersAsked(words).map(({ member, ...mention }) => ({ ...mention, members: [member] }));
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

/** "Series A or B" and "Series B and later": letters behind the first one. */
function roundsFrom(first: string, words: readonly string[], behind: number): string[] {
  const all = membersOf('round').filter((member) => member.startsWith('series'));
  const [joint = '', next = ''] = [words[behind], words[behind + 1]];
  if (!['or', 'and', 'to'].includes(joint)) return [first];
  if (LATER.has(next)) return all.slice(all.indexOf(first));
  const last = all.indexOf(`series${next}`);
  if (last < 0) return [first];
  return joint === 'to' ? all.slice(all.indexOf(first), last + 1) : [first, `series${next}`];
}
