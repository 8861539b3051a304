import { expect, test } from 'vitest';
import { sourceOf, webAddress } from './source-of.ts';

const SEC = {
  name: 'SEC EDGAR',
  publisher: 'SEC',
  url: 'https://www.sec.gov/edgar',
  licence: 'Public domain',
  attribution: 'SEC',
};
const GITHUB = { ...SEC, name: 'A list', url: 'https://github.com/someone/list', licence: 'MIT' };

test('evidence belongs to the source whose site publishes it', () => {
  expect(sourceOf('https://data.sec.gov/submissions/1.json', [GITHUB, SEC])).toBe(SEC);
  expect(sourceOf('https://sec.gov.example/submissions', [GITHUB, SEC])).toBeUndefined();
});

test('where one site has sources of several licences none is named', () => {
  const other = { ...GITHUB, licence: 'ISC' };
  expect(sourceOf('https://github.com/x', [GITHUB, other])).toBeUndefined();
  expect(sourceOf('https://github.com/x', [GITHUB, GITHUB])).toBe(GITHUB);
});

test('only addresses of the web become links', () => {
  expect(webAddress('javascript:alert(1)')).toBeUndefined();
  expect(webAddress('data:text/html,x')).toBeUndefined();
  expect(webAddress('no address')).toBeUndefined();
  expect(webAddress('https://example.com/a')?.hostname).toBe('example.com');
});
