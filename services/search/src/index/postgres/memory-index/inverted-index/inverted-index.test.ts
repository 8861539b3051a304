import { expect, test } from 'vitest';
import { InvertedIndex, type Run } from './inverted-index.ts';
import { Lexicon } from './lexicon.ts';
import { SegmentBuilder } from './segment.ts';

function textsOf(...segments: readonly (readonly string[])[]): InvertedIndex {
  const texts = new InvertedIndex(new Lexicon());
  let number = 0;
  for (const documents of segments) {
    const builder = new SegmentBuilder(texts.lexicon);
    for (const document of documents) builder.add(number++, document);
    texts.append(builder.build());
  }
  return texts;
}

function numbersIn(runs: readonly Run[]): number[] {
  return runs.flatMap(({ first, documents, from, to }) =>
    [...documents.slice(from, to)].map((behind) => first + behind),
  );
}

const FIRST = [`'new':1 'york':2`, `'new':1,5 'york':3`, `'york':1`];
const SECOND = [`'new':4 'york':5`, `'york':1 'new':2`];
const PHRASE = { lexemes: ['new', 'york'], offsets: [0, 1] };

test('documents of a lexeme are found in all segments, with how often they have it', () => {
  const found = textsOf(FIRST, SECOND).all().postingsOf('new');
  expect(numbersIn(found)).toEqual([0, 1, 3, 4]);
  expect(found.flatMap(({ counts, from, to }) => [...counts.slice(from, to)])).toEqual([0, 1, 0, 0]);
});

test('a phrase is found where its words have the right distances', () => {
  const both = textsOf(FIRST, SECOND).all();
  expect(numbersIn(both.documentsOf(PHRASE, true))).toEqual([0, 3]);
  expect(numbersIn(both.documentsOf(PHRASE, false))).toEqual([0, 1, 3, 4]);
  const one = textsOf(FIRST).all();
  expect(numbersIn(one.documentsOf({ lexemes: ['new', 'york'], offsets: [0, 2] }, true))).toEqual([1]);
  expect(one.documentsOf({ lexemes: ['new', 'absent'], offsets: [0, 1] }, true)).toEqual([]);
  expect(one.documentsOf({ lexemes: [], offsets: [] }, true)).toEqual([]);
});

test('a phrase is found in the segments that have all of its words', () => {
  /* Segments of five and two documents are not merged. */
  const texts = textsOf(
    [`'new':1`, `'york':1`, `'york':2`, `'york':2`, `'new':3 'york':4`],
    [`'york':3`, `'york':1`],
  ).all();
  expect(texts.segments).toHaveLength(2);
  expect(numbersIn(texts.documentsOf(PHRASE, true))).toEqual([4]);
  expect(numbersIn(texts.postingsOf('york'))).toEqual([1, 2, 3, 4, 5, 6]);
});

test('small segments are merged into what one segment of all would be', () => {
  const documents = [...FIRST, ...SECOND];
  const merged = textsOf(...documents.map((document) => [document]));
  const whole = textsOf(documents);
  expect(merged.bytes).toBe(whole.bytes);
  expect(merged.all().postingsOf('york')).toEqual(whole.all().postingsOf('york'));
});

test('segments of one partition are merged into a large one, and others are not', async () => {
  const numberOf = { SEPTEMBER: 20260901, AUGUST: 20260801 };
  const sizes = [
    [20, numberOf.SEPTEMBER],
    [9, numberOf.SEPTEMBER],
    [4, numberOf.AUGUST],
    [1, numberOf.AUGUST],
  ] as const;
  const texts = new InvertedIndex(new Lexicon());
  let number = 0;
  for (const [size, partition] of sizes) {
    const builder = new SegmentBuilder(texts.lexicon);
    for (let at = 0; at < size; at += 1) builder.add(number, `'new':${1 + (number++ % 3)} 'york':2`, { partition });
    texts.append(builder.build());
  }
  const before = texts.all();
  expect(before.segments).toHaveLength(4);
  await texts.mergeLarge();
  const after = texts.all();
  expect(after.segments.map(({ size, oldest, newest }) => [size, oldest, newest])).toEqual([
    [29, numberOf.SEPTEMBER, numberOf.SEPTEMBER],
    [5, numberOf.AUGUST, numberOf.AUGUST],
  ]);
  for (const lexeme of ['new', 'york'])
    expect(numbersIn(after.postingsOf(lexeme))).toEqual(numbersIn(before.postingsOf(lexeme)));
  expect(numbersIn(after.documentsOf(PHRASE, true))).toEqual(numbersIn(before.documentsOf(PHRASE, true)));
  await texts.mergeLarge();
  expect(texts.all().segments).toHaveLength(2);
});

test('concurrent additions do not change the data that a ranking reads', () => {
  const texts = textsOf(FIRST);
  const searched = texts.all();
  const builder = new SegmentBuilder(texts.lexicon);
  builder.add(3, `'new':1`);
  texts.append(builder.build());
  expect(searched.countOf('new')).toBe(2);
  expect(texts.all().countOf('new')).toBe(3);
});
