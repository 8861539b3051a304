import { expect, test } from 'vitest';
import { keyOfName } from './legal-name.ts';
import { loadResolutionVocabulary } from './vocabulary.ts';

const vocabulary = loadResolutionVocabulary();

test.each([
  ['Veldran Corporation', 'VELDRAN CORP /DE/'],
  ['Veldran Corporation', 'VELDRAN CORP/CA'],
  ['Veldran Inc.', 'VELDRAN INC /NEW/'],
  ['Veldran Inc.', 'Veldran, Inc./MARYLAND/'],
  ['Veldran Inc.', 'Veldran Inc Class A'],
  ['Veldran Inc.', 'Veldran, Inc. Common Stock'],
  ['Veldran Corp.', 'Veldran Corp. (REIT)'],
  ['Veldran', 'The Veldran & Company'],
  ['Veldran & Sons Ltd.', 'VELDRAN AND SONS LIMITED'],
  ['Société Veldran inc.', 'SOCIETE VELDRAN INC'],
  ['Veldran Mfg. Co.', 'Veldran Manufacturing Company'],
])('%s and %s are one name', (one, other) => {
  expect(keyOfName(vocabulary, one)).not.toBe('');
  expect(keyOfName(vocabulary, other)).toBe(keyOfName(vocabulary, one));
});

test.each([
  ['Veldran Class', 'Veldran'],
  ['Veldran Co/Op', 'Veldran'],
  ['Veldran 24/7', 'Veldran 24'],
  ['Veldran and Sons', 'Veldran'],
])('%s and %s are two names', (one, other) => {
  expect(keyOfName(vocabulary, other)).not.toBe(keyOfName(vocabulary, one));
});

test.each([
  ['Farmers & Merchants Bancorp Inc'],
  ['First National Bank'],
  ['Global Energy Solutions Inc.'],
  ['Pinnacle West Capital Corp.'],
])('%s is a name that several companies bear', (name) => {
  expect(keyOfName(vocabulary, name)).toBe('');
});

test('four common words in one order are a name of one company', () => {
  expect(keyOfName(vocabulary, 'Public Service Enterprise Group Inc')).toBe('public service enterprise group');
});
