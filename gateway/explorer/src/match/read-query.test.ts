import { expect, test } from 'vitest';
import { nameOfArea, readQuery } from './read-query.ts';

const AS_OF = new Date('2026-11-25T12:00:00Z');
const read = (query: string) => readQuery(query, AS_OF);

test('kinds, places and times that a query names are conditions, the rest are its words', () => {
  const reading = read('cold storage companies opening a warehouse in Texas or Canada since 2024');
  expect(reading.kinds.map(({ kind }) => kind)).toEqual(['facility_expansion']);
  expect(reading.areas.map(nameOfArea)).toEqual(['Canada', 'Texas']);
  expect(reading.periods).toEqual([{ text: 'since 2024', from: Date.UTC(2024, 0) }]);
  expect(reading.words).toEqual(['cold', 'storage', 'warehouse']);
});

test('quoted words, excluded words and amounts are kept apart', () => {
  expect(read('"food grade" bids for salt -road more than $2 million')).toMatchObject({
    phrases: ['food grade'],
    excluded: ['road'],
    amounts: ['more than $2 million'],
    kinds: [{ kind: 'procurement_request' }],
    words: ['salt'],
  });
});

test('a round is a word of its own and names the kind', () => {
  const { kinds, words } = read('startups that raised a Series B in healthcare');
  expect([kinds.map(({ kind }) => kind), words]).toEqual([['funding_round'], ['Series B', 'startups', 'healthcare']]);
});

test.each([
  ['hospitals looking for software', 'procurement_request', ['hospitals', 'software']],
  ['looking for hospitals that launch apps', 'product_launch', ['hospitals', 'apps']],
  ['hiring welders', 'job_posting', ['welders']],
  ['banks that hired a new CEO', 'leadership_change', ['banks']],
])('“%s” names %s', (query, kind, words) => {
  const reading = read(query);
  expect([reading.kinds.map((one) => one.kind), reading.words]).toEqual([[kind], words]);
});

test('a place that is turned down is no condition, and “us” is no country', () => {
  expect(read('plants not in Ohio').areas).toEqual([]);
  expect(read('plants outside the US, except Ohio').words).toEqual(['plants']);
  expect(read('firms that help us ship').areas).toEqual([]);
  expect(read('plants in TX and the US').areas.map(nameOfArea)).toEqual(['United States', 'Texas']);
});

test.each([
  ['in March 2025', Date.UTC(2025, 2), Date.UTC(2025, 3)],
  ['before 2025', undefined, Date.UTC(2025, 0)],
  ['after 2024', Date.UTC(2025, 0), undefined],
  ['in the last 2 weeks', Date.UTC(2026, 10, 11), undefined],
  ['this month', Date.UTC(2026, 10), undefined],
  ['this week', Date.UTC(2026, 10, 23), undefined],
])('“%s” is a period', (text, from, until) => {
  const [period] = read(`plants opened ${text}`).periods;
  expect([period?.text, period?.from, period?.until]).toEqual([text, from, until]);
});
