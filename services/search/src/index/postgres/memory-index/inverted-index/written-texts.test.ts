import { expect, test } from 'vitest';
import { Lexicon } from './lexicon.ts';
import {
  hasPhrase,
  mergeWrittenTexts,
  readWords,
  type WrittenTexts,
  WrittenTextsBuilder,
  writtenPhrase,
} from './written-texts.ts';

/** Enough words for numbers of one, two and three bytes. */
const MANY = 20_000;
const lexicon = new Lexicon();
for (let number = 1; number <= MANY; number += 1) lexicon.add(`w${number}`);

function written(...texts: readonly (readonly string[])[]): WrittenTexts {
  const builder = new WrittenTextsBuilder(lexicon);
  for (const parts of texts) builder.add(parts);
  return builder.build();
}

function has(texts: WrittenTexts, at: number, phrase: string, inFirst = false): boolean {
  const found = writtenPhrase(lexicon, phrase.split(' '));
  return found !== undefined && hasPhrase(texts, at, found, inFirst);
}

function wordsIn(texts: WrittenTexts, at: number): number[] {
  const words: number[] = [];
  readWords(texts, at, (word) => words.push(word));
  return words;
}

test.each(['w1', 'w127', 'w128', 'w16383', 'w16384', `w${MANY}`])('%s is found whole, wherever it is', (word) => {
  const texts = written([`${word} w5 w6`], ['w7 w8'], [`w5 ${word} ${word}`]);
  expect([0, 1, 2].map((at) => has(texts, at, word))).toEqual([true, false, true]);
  expect(has(texts, 2, `${word} ${word}`)).toBe(true);
  expect(has(texts, 0, `${word} ${word}`)).toBe(false);
});

test('the last byte of a longer number is no word by itself', () => {
  /* 16,256 is written as the bytes 128 and 127. */
  const texts = written(['w16256 w130']);
  expect(has(texts, 0, 'w127')).toBe(false);
  expect(has(texts, 0, 'w1')).toBe(false);
  expect(has(texts, 0, 'w16256 w130')).toBe(true);
});

test('a phrase is not found across texts or their parts', () => {
  const texts = written(['w1 w2', 'w3 w4'], ['w5']);
  expect(has(texts, 0, 'w2 w3')).toBe(false);
  expect(has(texts, 0, 'w4 w5')).toBe(false);
  expect(has(texts, 0, 'w3 w4')).toBe(true);
  expect([has(texts, 0, 'w1 w2', true), has(texts, 0, 'w3', true)]).toEqual([true, false]);
});

test('a word that no text has makes no phrase', () => {
  expect(writtenPhrase(lexicon, ['w1', 'absent'])).toBeUndefined();
});

test('merged texts equal their parts, including empty ones', () => {
  const parts = [written(['w1 w300'], ['']), written(['w2', 'w20000'])];
  const merged = mergeWrittenTexts(parts);
  expect([0, 1, 2].map((at) => wordsIn(merged, at))).toEqual([[1, 300], [], [2, 0, 20_000]]);
});
