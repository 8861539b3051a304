import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { expect, test } from 'vitest';
import { planMistakes } from './validate-plan.ts';

function mistakesOf(init: MessageInitShape<typeof PlanSchema>): string[] {
  return planMistakes(create(PlanSchema, { version: 1, retrieval: Retrieval.LEXICAL, ...init }));
}

test('a plan within bounds has no mistakes, whatever planner made it', () => {
  expect(mistakesOf({ planner: 'other/3', activity: [{ words: ['battery'], weight: 1 }] })).toEqual([]);
});

test.each<[string, MessageInitShape<typeof PlanSchema>]>([
  ['an unknown version', { version: 2 }],
  ['a retrieval that is not offered', { retrieval: Retrieval.HYBRID }],
  ['a word with spaces', { activity: [{ words: ['battery plant'], weight: 1 }] }],
  ['an operator as a word', { description: [{ words: ["a' | 'b"], weight: 1 }] }],
  ['a term without words', { activity: [{ words: [], weight: 1 }] }],
  ['a weight above four', { activity: [{ words: ['battery'], weight: 5 }] }],
  ['a weight that is no number', { activity: [{ words: ['battery'], weight: Number.NaN }] }],
  ['a related weight above one', { activity: [{ words: ['a'], weight: 1, related: [{ words: ['b'], weight: 2 }] }] }],
  ['too many terms', { activity: Array.from({ length: 501 }, () => ({ words: ['a'], weight: 1 })) }],
  ['a place without names', { places: [{ text: 'x', names: [], weight: 1 }] }],
  ['a factor below nothing', { kinds: [{ kind: 1, factor: -1 }] }],
  ['an empty phrase', { phrases: [''] }],
  ['an endless exclusion', { excluded: ['x'.repeat(4001)] }],
])('a plan with %s is refused', (_, init) => {
  expect(mistakesOf(init)).toHaveLength(1);
});
