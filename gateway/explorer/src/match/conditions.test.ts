import { expect, test } from 'vitest';
import { matchOf, observationOf } from '../test-support/companies.ts';
import { reasonsOf } from './conditions.ts';
import { readQuery } from './read-query.ts';

const AS_OF = new Date('2026-11-25T12:00:00Z');
const PLANT = observationOf({ observed_fact: 'Ann Co is building a warehouse in Fresno, California.' });

function reasons(query: string, observations = [PLANT]) {
  return reasonsOf(matchOf(7, 'Ann Co', observations), readQuery(query, AS_OF));
}

function states(query: string, observations = [PLANT]): Record<string, string> {
  return Object.fromEntries(reasons(query, observations).conditions.map(({ label, state }) => [label, state]));
}

test('words are compared in other forms with facts, excerpts and the name', () => {
  expect(reasons('warehouses for ann with excerpts and freezers')).toMatchObject({
    found: ['warehouses', 'ann', 'excerpts'],
    missing: ['freezers'],
  });
});

test.each([
  ['Series B', 'Ann Co raised money in a Series A round.', false],
  ['series b', 'Ann Co raised money in a Series B round.', true],
  ['pre-seed round', 'Ann Co raised a pre-seed investment.', true],
])('the round “%s” and “%s”: shown is %s', (round, observed_fact, isShown) => {
  const fact = observationOf({ observed_fact, evidence: [] });
  expect(reasons(round, [fact]).found).toEqual(isShown ? [round] : []);
});

test('each stated condition is met by what is shown, or said not to be', () => {
  expect(states('opening a warehouse in California')).toEqual({ 'Facility expansion': 'met', California: 'met' });
  expect(states('bids for a warehouse in Texas')).toEqual({ 'Procurement request': 'not-shown', Texas: 'not-shown' });
  expect(states('warehouse in Canada since 2025')).toEqual({ Canada: 'not-shown', 'since 2025': 'met' });
  expect(states('warehouse before 2026')).toEqual({ 'before 2026': 'not-shown' });
});

test('conditions that this page cannot check are shown as unchecked', () => {
  expect(states('warehouse over 40,000 square feet')).toEqual({ 'over 40,000 square feet': 'unchecked' });
  const profile = observationOf({ kind: 'company_profile', occurred_at: null });
  expect(states('since 2025', [profile])).toEqual({ 'since 2025': 'unchecked' });
});

test('quoted and excluded words are met, because the service refuses everything else', () => {
  expect(states('"cold storage" -road')).toEqual({ '“cold storage”': 'met', 'without “road”': 'met' });
});
