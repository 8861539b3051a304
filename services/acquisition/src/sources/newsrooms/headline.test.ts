import { expect, test } from 'vitest';
import { readHeadline } from './headline.ts';

test.each([
  ['Acme raises between $5 million and $10 million in Series A', 'funding_round'],
  ['Acme closes €4.5 million seed round', 'funding_round'],
  ['Acme opens new plant in Fairlock, Ohio', 'facility_expansion'],
  ['After delays, Acme opens new plant', 'facility_expansion'],
  ['Acme teams up with Weirworks to end hunger', 'partnership'],
  ['Acme appoints Ada Quayle as Chief Executive Officer', 'leadership_change'],
  ['Acme launches Gate 2', 'product_launch'],
])('"%s" tells of a %s', (title, kind) => {
  expect(readHeadline(title)).toMatchObject({ type: 'event', kind });
});

test.each([
  'Acme denies it raised $5 million',
  'Acme raised $12M Series A in 2019, CEO recalls',
  'Acme postpones opening of new plant',
  'Acme no longer opens new plant in Fairlock',
  'Acme opens bids for new plant',
  'Acme opens new plant investigation',
  'Acme opened new plant 50 years ago today',
  'Acme ends partnership with Weirworks',
  'Acme terminates strategic partnership with Weirworks',
  'Acme announces termination of strategic partnership with Weirworks',
  'Acme and Weirworks dissolve joint venture',
  'Acme rejects partnership with Weirworks',
  'Acme withdraws from joint venture with Weirworks',
  'Acme suspends distribution agreement with Weirworks',
  'Acme sued over joint venture with Weirworks',
  'Court blocks Acme joint venture with Weirworks',
  'Acme launches recall of Gate 2',
  'Acme introduces price increase',
  'Acme unveils Gate 2 delay',
])('"%s" tells of no event that happened', (title) => {
  expect(readHeadline(title).type).toBe('none');
});
