import { expect, test } from 'vitest';
import { SegmentBuilder } from './segment.ts';
import { Texts } from './texts.ts';

function textsOf(...segments: readonly (readonly string[])[]): Texts {
  const texts = new Texts();
  let number = 0;
  for (const documents of segments) {
    const builder = new SegmentBuilder(texts.lexicon);
    for (const document of documents) builder.add(number++, document);
    texts.append(builder.build());
  }
  return texts;
}

const FIRST = [`'new':1 'york':2`, `'new':1,5 'york':3`, `'york':1`];
const SECOND = [`'new':4 'york':5`, `'york':1 'new':2`];
const PHRASE = { lexemes: ['new', 'york'], offsets: [0, 1] };

test('documents of a lexeme are found in all segments, with how often they have it', () => {
  const found = textsOf(FIRST, SECOND).postingsOf('new');
  expect(found.flatMap(({ first, documents }) => [...documents].map((document) => first + document))).toEqual([
    0, 1, 3, 4,
  ]);
  expect(found.flatMap(({ counts }) => [...counts])).toEqual([0, 1, 0, 0]);
});

test('a phrase is found where its words stand at its distances', () => {
  expect(textsOf(FIRST, SECOND).documentsOf(PHRASE, true)).toEqual([0, 3]);
  expect(textsOf(FIRST, SECOND).documentsOf(PHRASE, false)).toEqual([0, 1, 3, 4]);
  expect(textsOf(FIRST).documentsOf({ lexemes: ['new', 'york'], offsets: [0, 2] }, true)).toEqual([1]);
  expect(textsOf(FIRST).documentsOf({ lexemes: ['new', 'absent'], offsets: [0, 1] }, true)).toEqual([]);
  expect(textsOf(FIRST).documentsOf({ lexemes: [], offsets: [] }, true)).toEqual([]);
});

test('small segments are merged into what one segment of all would be', () => {
  const documents = [...FIRST, ...SECOND];
  const merged = textsOf(...documents.map((document) => [document]));
  const whole = textsOf(documents);
  expect(merged.bytes).toBe(whole.bytes);
  expect(merged.postingsOf('york')).toEqual(whole.postingsOf('york'));
});
