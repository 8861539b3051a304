import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsOf } from '../text/words.ts';
import { loadVocabulary } from './load-vocabulary.ts';

const vocabulary = loadVocabulary();
const textOf = (file: string) => readFileSync(new URL(`../../vocabulary/${file}`, import.meta.url), 'utf8');

/** The first paragraph of the file lists the stop words of the index. */
const LEFT_OUT: ReadonlySet<string> = new Set(wordsOf(textOf('stop-words.txt').split('\n\n')[1] ?? ''));

const lines = textOf('related.txt')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('a word leads to the words of records, in the singular and the plural, and not the other way round', () => {
  const related = vocabulary.related.get(['courier']) ?? [];
  expect(related).toContainEqual(['express', 'delivery']);
  expect(vocabulary.related.get(['couriers'])).toEqual(related);
  expect(vocabulary.related.get(['express', 'delivery'])).toBeUndefined();
});

test('equal words lead to each other, and to the phrases among them', () => {
  expect(vocabulary.related.get(['freight'])).toContainEqual(['cargo']);
  expect(vocabulary.related.get(['cargo'])).toContainEqual(['freight']);
  expect(vocabulary.related.get(['trucking'])).toContainEqual(['freight', 'carrier']);
});

test('no line starts from a phrase or a word that is not searched for, or leads to one that an index leaves out', () => {
  expect(LEFT_OUT.has('the')).toBe(true);
  for (const line of lines) {
    const [left = '', right = ''] = line.split(' > ');
    const starts = right === '' ? [] : left.split(', ').map(wordsOf);
    const ends = right.split(', ').map(wordsOf);
    expect(
      starts.filter((words) => words.length !== 1),
      line,
    ).toEqual([]);
    expect(
      starts.flat().filter((word) => vocabulary.stopWords.has(word)),
      line,
    ).toEqual([]);
    expect(
      ends.flat().filter((word) => LEFT_OUT.has(word)),
      line,
    ).toEqual([]);
  }
});
