import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CompanyResult } from '../../../src/schema/company-search.ts';
import { LIMITATIONS, STOP_REASONS, sentenceOf } from './sentences.ts';

const CODE = /`([a-z_]+)`/g;

test('every stop reason of the schema has a sentence, and no other has one', () => {
  const { stop_reason: reason } = CompanyResult.properties.coverage.properties;
  const description = 'description' in reason ? String(reason.description) : '';
  expect(codesIn(description).sort()).toEqual(Object.keys(STOP_REASONS).sort());
});

test('every limitation of the contract has a sentence, and no other has one', () => {
  const contract = readFileSync(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
  const paragraph = /^- `limitations`: ([\s\S]*?)\n(?=\n|- )/m.exec(contract)?.[1];
  const codes = codesIn(paragraph?.replace('`withheld_units`', ''));
  expect(codes.sort()).toEqual(Object.keys(LIMITATIONS).sort());
});

test('a code that came after this page is shown as it is', () => {
  expect(sentenceOf(STOP_REASONS, 'moon_phase')).toBe('The service reports “moon phase”.');
});

test('a limitation about facts that are not recorded has its own sentence', () => {
  expect(sentenceOf(LIMITATIONS, 'layoffs_not_recorded')).toMatch(/^The record does not hold layoffs/);
  expect(sentenceOf(LIMITATIONS, 'acquisitions_not_recorded')).toMatch(
    /^The record does not hold mergers or acquisitions/,
  );
});

function codesIn(text = ''): string[] {
  return [...text.matchAll(CODE)].map(([, code = '']) => code);
}

test('a code that is also a member name of every object has no sentence', () => {
  for (const code of ['constructor', '__proto__', 'toString'])
    expect(sentenceOf(LIMITATIONS, code)).toBe(`The service reports “${code.replaceAll('_', ' ')}”.`);
});
