import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { parseKindPhrases } from './kind-phrases.ts';

test('a phrase is expanded for each item of its list and each form of its verb', () => {
  const table = parseKindPhrases(['@site = plant, mill', 'facility_expansion + (open) a @site']);
  for (const phrase of ['open a plant', 'opens a mill', 'opened a mill', 'opening a plant'])
    expect(table.get(phrase.split(' '))).toEqual({
      kind: Kind.FACILITY_EXPANSION,
      searched: 'support',
      names: 'always',
    });
});

test('the more certain of two lines with the same phrase counts, in any order', () => {
  const table = parseKindPhrases(['job_posting : jobs', 'partnership = jobs']);
  expect(table.get(['job'])?.kind).toBe(Kind.JOB_POSTING);
});

test('a phrase about facts that no kind holds has its limitation', () => {
  const table = parseKindPhrases(['layoffs_not_recorded : layoffs', 'no_kind : layoff software']);
  expect(table.get(['layoffs'])).toMatchObject({ kind: Kind.UNSPECIFIED, limitation: 'layoffs_not_recorded' });
  expect(table.get(['layoff', 'software'])?.limitation).toBeUndefined();
});

test.each(['moon_phase : full moon', 'job_posting ! jobs', 'job_posting : @nothing jobs'])(
  'a line that cannot be read is named: %s',
  (line) => {
    expect(() => parseKindPhrases([line])).toThrow(line);
  },
);
