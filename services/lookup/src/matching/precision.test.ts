import { describe, expect, test } from 'vitest';
import { figuresOf, judgePairs, resolve } from '../../test-support/judge-pairs.ts';
import type { PairFile } from '../../test-support/resolution-pairs.ts';

const STRATA = ['identifier', 'hostname', 'name'];

describe.each<[PairFile, string[]]>([
  ['resolution-pairs', ['Continental Resources, Inc. / CONTINENTAL RESOURCES INC']],
  ['drawn-pairs', ['Crane Co. / Crane Company']],
])('%s', (file, knownWrong) => {
  const judgements = judgePairs(file);

  test('at least 200 pairs are judged, some of every stratum', () => {
    expect(judgements.length).toBeGreaterThanOrEqual(200);
    for (const stratum of STRATA)
      expect(judgements.filter(({ pair }) => pair.stratum === stratum).length).toBeGreaterThan(20);
  });

  test('at least 98 in 100 merges are correct, over all and by each rule', () => {
    const figures = figuresOf(file, judgements);
    console.info(figures.map(({ line }) => line).join('\n'));
    for (const { precision } of figures) expect(precision).toBeGreaterThanOrEqual(0.98);
  });

  test('a merge is by what the pair has in common, or by name where many share the website; its order does not matter', () => {
    for (const { pair, merge } of judgements) {
      const rules = pair.stratum === 'hostname' ? ['hostname', 'name'] : [pair.stratum];
      if (merge) expect([pair.one.name, rules.includes(merge.rule)]).toEqual([pair.one.name, true]);
      expect([pair.one.name, resolve(pair.other, pair.one)?.rule]).toEqual([pair.one.name, merge?.rule]);
    }
  });

  test('the mistakes of the rules are known by name', () => {
    const wrong = judgements.filter(({ pair, merge }) => merge && !pair.same);
    expect(wrong.map(({ pair }) => `${pair.one.name} / ${pair.other.name}`)).toEqual(knownWrong);
  });
});
