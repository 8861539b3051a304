import { expect, test } from 'vitest';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { termsOf } from './terms.ts';
import { tokenise } from './tokens.ts';

test('a known phrase weighs what the weightiest of its words weighs, wherever that stands', () => {
  const tokens = tokenise('commercial driving licence');
  const weighted = tokens.map((token) => ({ token, weight: token.word === 'commercial' ? 0.5 : 1 }));
  const terms = termsOf(['commercial', 'driving', 'licence'], weighted, loadVocabulary());
  expect(terms.map(({ text, weight }) => [text, weight])).toEqual([
    ['commercial driving licence', 1],
    ['commercial', 0.3],
    ['driving', 0.6],
    ['licence', 0.6],
  ]);
});
