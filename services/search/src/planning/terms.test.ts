import { expect, test } from 'vitest';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { termsOf } from './terms.ts';
import { tokenise } from './tokens.ts';

test('a known phrase has the highest weight of its words, in any position', () => {
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

test('a generic word belongs to a known phrase though it is not searched for', () => {
  const words = ['cable', 'companies'];
  const [cable] = tokenise('cable companies').map((token) => ({ token, weight: 1 }));
  const terms = termsOf(words, cable ? [cable] : [], loadVocabulary());
  expect(terms.map(({ text }) => text)).toEqual(['cable companies', 'cable']);
  expect(terms[0]?.related.map((related) => related.words.join(' '))).toContain('cable television');
});
