import { metrics } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { between, countOutcomes, rankedByText } from './ranking-outcomes.ts';

test('rankings are counted from one moment to another, by who ranked and why', async () => {
  const read = countOutcomes();
  onTestFinished(() => metrics.disable());
  const rankings = metrics.getMeter('ces').createCounter('ces.search.rankings');
  rankings.add(3, { outcome: 'ranked' });
  const before = await read();
  expect(between(before, await read())).toEqual(new Map());
  rankings.add(2, { outcome: 'ranked' });
  rankings.add(1, { outcome: 'behind' });
  const outcomes = between(before, await read());
  expect(outcomes).toEqual(
    new Map([
      ['ranked', 2],
      ['behind', 1],
    ]),
  );
  expect(rankedByText(outcomes)).toBe('memory 2, database 1 (behind 1)');
});

test('nothing is said of who ranked where no memory index was asked', () => {
  expect(rankedByText(new Map())).toBeUndefined();
});
