import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { parseJson, readJson } from './json.ts';
import { readJsonItems, readJsonLines, readJsonObjects } from './json-stream.ts';

const IDS = ['1142873452187893761', '1142873452187893762', '-1142873452187893763'];

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

test.each([...IDS, '9007199254740992', '100000000000000000000000000000'])(
  'an integer such as %s, which a double would round, is kept by its digits',
  async (id) => {
    const expected = { id, list: [{ id }], count: 3 };
    const json = `{"id": ${id}, "list": [{"id":${id}}], "count": 3}`;
    expect(parseJson(json)).toEqual(expected);
    expect(readJson(json)).toEqual(expected);
    expect(await all(readJsonItems(documentOfText(`[${json}]`)))).toEqual([expected]);
    expect(await all(readJsonItems(documentOfText(`{"jobs": [${json}]}`), 'jobs'))).toEqual([expected]);
    expect(await all(readJsonObjects(documentOfText(`{"jobs": [${json}]}`), ['jobs']))).toEqual([
      { member: 'jobs', value: expected },
    ]);
    expect(await all(readJsonLines(documentOfText(`${json}\r\n`)))).toEqual([
      { type: 'line', line: 1, value: expected },
    ]);
  },
);

test.each(['0', '-1', '9007199254740991', '1.10', '45.123456789012345678', '1e3', '1E400', '0.30000000000000004'])(
  'another number, such as %s, is what JSON.parse makes of it',
  (number) => {
    const json = `{"at": "1142873452187893761", "number": ${number}, "number": ${number}}`;
    expect(parseJson(json)).toEqual(JSON.parse(json));
  },
);

test('of members with the same name the last one counts, as for JSON.parse', () => {
  expect(parseJson('{"id": 1142873452187893761, "id": 2, "__proto__": 3}')).toEqual(
    JSON.parse('{"id": 1, "id": 2, "__proto__": 3}'),
  );
});

test.each(['{"id": 01142873452187893761}', '1142873452187893761 {}', '[1142873452187893761,]', ''])(
  '%s is no JSON',
  (text) => {
    expect(readJson(text)).toBeUndefined();
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);
