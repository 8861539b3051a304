import { expect, test } from 'vitest';
import { writeForm } from '../form/form.ts';
import {
  formOfNews,
  isSameSearch,
  MAX_SAVED,
  merge,
  noteAnswer,
  parseStored,
  readFile,
  type SavedSearch,
  writeFile,
} from './saved-search.ts';

const SALT: SavedSearch = { name: 'Salt', search: 'q=road+salt&country=CA', savedAt: '2026-11-01T00:00:00.000Z' };
const AS_OF = '2026-11-25T10:00:00.000Z';

test('a file that was saved is read again, in another browser too', () => {
  const searches = [SALT, { ...SALT, name: 'Plants', search: 'q=plants', lastAsOf: AS_OF }];
  expect(readFile(writeFile(searches))).toEqual({ searches, unreadable: 0 });
});

test('another file is refused, and entries that are no search are counted', () => {
  for (const text of ['', '[]', '{"format":"other","version":1,"searches":[]}']) expect(readFile(text)).toBeUndefined();
  const entries = [SALT, { ...SALT, name: ' ' }, { ...SALT, search: 'country=CA' }, { ...SALT, savedAt: 'x' }, null];
  const file = JSON.stringify({ format: 'ces-saved-searches', version: 1, searches: entries });
  expect(readFile(file)).toEqual({ searches: [SALT], unreadable: 4 });
});

test('fields without a control are ignored when a file is imported', () => {
  const search = 'q=road+salt&country=CA&country=FR&key=ces_live_x';
  expect(parseStored(JSON.stringify([{ ...SALT, search }]))).toEqual([SALT]);
  for (const stored of [null, '{', '{}', '"x"']) expect(parseStored(stored)).toEqual([]);
});

test('merging keeps what is there, and a limit', () => {
  expect(merge([SALT], [{ ...SALT, name: 'Again' }])).toEqual([SALT]);
  const many = Array.from({ length: MAX_SAVED + 5 }, (_, at) => ({ ...SALT, search: `q=${at}` }));
  expect(merge([SALT], many)).toHaveLength(MAX_SAVED);
});

test('an answer of the same search is noted, an older one is not', () => {
  const [noted] = noteAnswer([SALT], 'q=road+salt&country=CA&background=yes', AS_OF);
  expect(noted?.lastAsOf).toBe(AS_OF);
  expect(noteAnswer(noted ? [noted] : [], SALT.search, '2026-11-02T00:00:00.000Z')[0]?.lastAsOf).toBe(AS_OF);
  expect(noteAnswer([SALT], 'q=road+salt', AS_OF)).toEqual([SALT]);
});

test('the search for news is the same search with evidence collected since the last answer', () => {
  expect(formOfNews(SALT)).toBeUndefined();
  const form = formOfNews({ ...SALT, lastAsOf: AS_OF });
  expect(form?.observedAfter).toBe(AS_OF);
  expect(isSameSearch(form ? writeForm(form) : '', SALT.search)).toBe(true);
});
