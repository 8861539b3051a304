import { expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';
import { differences } from './shown.ts';

test.each([
  ['another value', 'jsonc', '{ "status": "found" }', '{"status":"not_found"}', 1],
  ['a value of another type', 'jsonc', '{ "id": 1 }', '{"id":"1"}', 1],
  ['a member that is missing', 'jsonc', '{ "a": 1, "b": 2 }', '{"a":1}', 1],
  ['a list that should be empty', 'jsonc', '{ "list": [] }', '{"list":[1]}', 1],
  ['a member too many where nothing is left out', 'json', '{ "a": 1 }', '{"a":1,"b":2}', 1],
  ['a line that is missing', 'text', 'first\nsecond', 'second', 1],
  ['lines in another order', 'text', 'first\nsecond', 'second\nfirst', 1],
  [
    'the id of an operation, an instant',
    'jsonc',
    '{ "usage": { "id": 1 }, "as_of": "a" }',
    '{"usage":{"id":2},"as_of":"b"}',
    0,
  ],
  ['the id of a company', 'jsonc', '{ "companies": [{ "id": 1 }] }', '{"companies":[{"id":2}]}', 1],
  ['what is left out', 'jsonc', '{\n  "a": 1, // …\n}', '{"a":1,"b":2}', 0],
  ['numbers in a text', 'text', 'r=59', 'more\nr=7', 0],
])('%s', (_what, language, shown, printed, count) => {
  expect(differences(language, shown, printed)).toHaveLength(count);
});

test('a block says its language, what becomes of it and why', () => {
  const blocks = blocksOf('```sh run\na\n```\n\n```json illustration: a file\n{}\n```\n\n```go\nb\n```\n');
  expect(blocks.map(({ language, use, reason, line }) => [language, use, reason, line])).toEqual([
    ['sh', 'run', '', 1],
    ['json', 'illustration', 'a file', 5],
    ['go', undefined, '', 9],
  ]);
});
